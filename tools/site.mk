# The documentation site: site/ has its configuration, docs/ its pages.

##: documentation
site: ## build the documentation site in build/site (the first time it installs MkDocs into build/site-venv)
	@site/build.sh
site-test: ## build the site and test it in a headless Chromium: links, search, scripts, phones, dark mode
	@tools/install.sh site-test
	@python3 tests/run.py check/site

.PHONY: site site-test

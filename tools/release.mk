# What a release consists of. Included by Makefile.

##: releasing
dist: ## write the release of the last commit to build/dist: archive, rockspec, rock, checksums; always the same bytes
	@python3 tools/dist.py
single: ## write the library as one C file with its headers to build/single
	@python3 tools/single.py

.PHONY: dist single

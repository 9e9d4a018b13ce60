/* A page that is opened as a file may not start a Worker, so the search's script runs in a frame, which answers in the
   same way. Pages that come from a server are not touched. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      this.ready = new Promise(resolve => {
        frame.onload = () => resolve(frame.contentWindow)
      })
      window.fleeceAnswer = data => this.dispatchEvent(new MessageEvent("message", { data }))
      const script = text => "<script" + text + "</" + "script>"
      frame.srcdoc = script(">self.receive = []; self.postMessage = data => parent.fleeceAnswer(data);" +
        "self.addEventListener = (type, f) => { if (type === 'message') self.receive.push(f) };" +
        "self.importScripts = (...urls) => Promise.all(urls.map(url => new Promise(resolve => {" +
        "const s = document.createElement('script'); s.src = url; s.onload = resolve; document.head.appendChild(s) })))") +
        script(' src="' + url + '">')
      document.body.appendChild(frame)
    }
    postMessage(data) {
      this.ready.then(frame => frame.receive.forEach(f => f({ data })))
    }
    terminate() {}
  }
}

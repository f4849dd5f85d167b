/** Tells the server when a script of the frame runs, and tries what a reader could set off. */
// biome-ignore lint/correctness/noUnusedVariables: the frame calls it
function watch(number, html) {
  const report = (what) => {
    const request = new XMLHttpRequest();
    // Synchronous: the page may be gone the next moment.
    request.open('POST', `/ran/${number}`, false);
    request.send(what);
  };
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'])
    Object.defineProperty(window, name, { value: () => report(name) });
  const events = [
    'mouseover',
    'mouseenter',
    'mousemove',
    'focus',
    'click',
    'toggle',
    'input',
    'error',
    'load',
  ];
  const tryAll = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const target = element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '';
      const scheme = target.replaceAll(/\s/g, '').toLowerCase();
      if (/^(javascript|vbscript|data):/.test(scheme)) report(`link to ${scheme.slice(0, 11)}`);
      if (/^(script|iframe|object|embed|base|form|svg|math|style|link|template)$/i.test(element.tagName))
        report(`element ${element.tagName}`);
      const stay = (event) => event.preventDefault();
      element.addEventListener('click', stay);
      for (const name of events) element.dispatchEvent(new Event(name, { bubbles: true, cancelable: true }));
    }
  };
  addEventListener('load', () => {
    const written = document.querySelector('main');
    if (written) tryAll(written);
    // Once more as scripts insert it, which parses some HTML in another way.
    const inserted = document.createElement('section');
    document.body.append(inserted);
    inserted.innerHTML = html;
    tryAll(inserted);
  });
}

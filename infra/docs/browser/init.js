/** The reference on /docs: Swagger UI, and a search, because its own filter knows groups only. */

const MOST = 12;

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
  validatorUrl: null,
  // The page says this above.
  plugins: [
    () => ({
      fn: { resolveSubtree: globalThis.resolveSubtree },
      wrapComponents: { InfoContainer: () => () => null, ServersContainer: () => () => null },
      statePlugins: {
        // It reads `_` in the name of a group as a space, and complains about it: `show` below does this instead.
        layout: { wrapActions: { parseDeepLinkHash: () => () => () => {} } },
      },
    }),
  ],
  onComplete: () => {
    startSearch(operationsOf(ui.specSelectors.specJson().toJS()));
    show(location.hash);
  },
});

function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, tags }]) => ({
      title: `${method.toUpperCase()} ${path}`,
      summary,
      operationId,
      href: `#/${tags[0]}/${operationId}`,
      text: `${operationId} ${summary} ${method} ${path}`.toLowerCase(),
    })),
  );
}

/** Operations that have all words; those whose name has them come first. */
function find(operations, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const all = (text) => words.every((word) => text.includes(word));
  const named = ({ operationId }) => all(operationId.toLowerCase());
  return operations.filter(({ text }) => all(text)).sort((a, b) => named(b) - named(a));
}

const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

function result({ title, summary, href }) {
  const link = element('a', '');
  link.href = href;
  link.className = 'result';
  link.append(element('code', title), ` ${summary}`);
  // Clicking the address that is shown already changes nothing, and must still lead there.
  link.addEventListener('click', () => show(href));
  const entry = element('li', '');
  entry.append(link);
  return entry;
}

function count({ length }) {
  if (length === 0) return 'No operation has all these words.';
  const some = length > MOST ? `, the first ${MOST} of them here` : '';
  return `${length} ${length === 1 ? 'operation' : 'operations'}${some}`;
}

function startSearch(operations) {
  const search = document.getElementById('search');
  const list = () => {
    const found = find(operations, search.value);
    document.getElementById('found').textContent = search.value.trim() === '' ? '' : count(found);
    document.getElementById('results').replaceChildren(...found.slice(0, MOST).map(result));
  };
  search.addEventListener('input', list);
  list();
}

/** Opens the group or operation of an address such as `#/threads/listThreads`. */
function show(hash) {
  const { layoutActions } = ui;
  const [start, group, operation] = decodeURIComponent(hash).split('/');
  if (start !== '#' || !group) return;
  const key = operation ? ['operations', group, operation] : ['operations-tag', group];
  layoutActions.show(['operations-tag', group], true);
  layoutActions.show(key, true);
  // Scrolls once it is there; what is there already gets no such event.
  layoutActions.scrollTo(key);
  document.getElementById(key.join('-'))?.scrollIntoView();
}

addEventListener('hashchange', () => show(location.hash));

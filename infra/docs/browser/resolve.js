/**
 * What stands at a path of the document, with what it refers to in place of references; a schema within itself stays a
 * reference. Swagger UI's own way reads the whole document anew for each operation that is opened: seconds, at this size.
 */
globalThis.resolveSubtree = (document, path, { baseDoc }) => {
  const at = (keys) => keys.reduce((value, key) => value?.[key], document);
  // https://www.rfc-editor.org/rfc/rfc6901#section-4
  const unescaped = (key) => key.replaceAll('~1', '/').replaceAll('~0', '~');
  const referred = (ref) => at(ref.slice('#/'.length).split('/').map(unescaped));

  function resolve(value, within) {
    if (Array.isArray(value)) return value.map((each) => resolve(each, within));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside } = value;
    if (typeof $ref === 'string' && $ref.startsWith('#/')) {
      if (within.includes($ref)) return value;
      const there = resolve(referred($ref), [...within, $ref]);
      return { ...there, ...resolve(beside, within), $$ref: baseDoc + $ref };
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each, within)]));
  }

  return { spec: resolve(at(path), []), errors: [] };
};

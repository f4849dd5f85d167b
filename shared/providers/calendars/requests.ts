/** Bodies of requests to CalDAV servers (RFC 4791, RFC 6578). */

const NAMESPACES =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:a="http://apple.com/ns/ical/"';

const document = (name: string, content: string) =>
  `<?xml version="1.0" encoding="utf-8"?><${name} ${NAMESPACES}>${content}</${name}>`;

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[each] ?? each);

const propfind = (...names: string[]) =>
  document('d:propfind', `<d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop>`);

export const principalQuery = propfind('d:current-user-principal', 'c:calendar-home-set', 'd:resourcetype');

export const homeQuery = propfind('c:calendar-home-set');

export const calendarsQuery = propfind(
  ...['d:resourcetype', 'd:displayname', 'd:current-user-privilege-set'],
  ...['c:supported-calendar-component-set', 'c:calendar-description', 'a:calendar-color'],
);

export const etagsQuery = propfind('d:getetag', 'd:resourcetype');

export const changesQuery = (token: string | null) =>
  document(
    'd:sync-collection',
    `<d:sync-token>${escaped(token ?? '')}</d:sync-token><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop>`,
  );

export const readQuery = (paths: string[]) =>
  document(
    'c:calendar-multiget',
    `<d:prop><d:getetag/><c:calendar-data/></d:prop>${paths.map((path) => `<d:href>${escaped(path)}</d:href>`).join('')}`,
  );

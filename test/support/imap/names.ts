/** Names of folders as they are written in commands: modified UTF-7 (RFC 3501, 5.1.3). */

const base64 = (text: string) =>
  Buffer.from(text, 'utf16le').swap16().toString('base64').replace(/=+$/, '').replaceAll('/', ',');

export const encodeName = (path: string): string =>
  path.replace(/&|[^ -~]+/g, (part) => (part === '&' ? '&-' : `&${base64(part)}-`));

export const decodeName = (name: string): string =>
  name.replace(/&([^-]*)-/g, (_, part: string) =>
    part === '' ? '&' : Buffer.from(part.replaceAll(',', '/'), 'base64').swap16().toString('utf16le'),
  );

/** As it is written in answers: an atom, otherwise a string. */
export const nameIn = (name: string): string =>
  /^[^\s(){%*"\\\]]+$/.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;

import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** The answers of WebDAV servers (RFC 4918, 13 and 14.16), as trees without prefixes of namespaces. */

export class BrokenAnswer extends Error {
  override name = 'BrokenAnswer';
}

/** An element: text, or elements and attributes ("@name") by name. */
export type Element = string | { [name: string]: Element | Element[] | undefined };

/** Always lists. */
const LISTS = new Set(['response', 'propstat', 'href', 'comp', 'privilege']);

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  // Names and tokens may look like numbers.
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name) => LISTS.has(name),
});

/** Text in which CDATA and elements are mixed has a name of its own. */
export const textIn = (element: Element | Element[] | undefined): string => {
  const [first] = [element].flat();
  if (typeof first === 'object') return textIn(first['#text'] ?? '');
  return first === undefined ? '' : `${first}`;
};

export const child = (element: Element | Element[] | undefined, ...path: string[]): Element | undefined => {
  let found = [element].flat()[0];
  for (const name of path) found = typeof found === 'object' ? [found[name]].flat()[0] : undefined;
  return found;
};

export const children = (element: Element | undefined, name: string): Element[] => {
  const found = typeof element === 'object' ? element[name] : undefined;
  return found === undefined ? [] : [found].flat();
};

/** The elements in it; none in one that is empty. */
export const namesIn = (element: Element | undefined): string[] =>
  typeof element === 'object' ? Object.keys(element) : [];

/** One resource of an answer. */
export interface Described {
  href: string;
  /** Of the resource as a whole: 404 for one that is gone. */
  status: number;
  /** The properties that it has. */
  props: Element;
}

const statusOf = (element: Element | undefined) =>
  Number(/\b(\d{3})\b/.exec(textIn(child(element, 'status')))?.[1] ?? 200);

function describe(response: Element): Described {
  const found = children(response, 'propstat').filter((each) => statusOf(each) === 200);
  const props = found.map((each) => child(each, 'prop')).filter((each) => typeof each === 'object');
  return {
    href: textIn(child(response, 'href')).trim(),
    status: statusOf(response),
    props: Object.assign({}, ...props),
  };
}

/** Throws for what is no whole document: a part of one would read as if the rest were gone. */
function readXml(text: string): Element {
  // Nothing of WebDAV needs one, and entities grow.
  if (/<!DOCTYPE/i.test(text)) throw new BrokenAnswer('The answer has a document type');
  if (XMLValidator.validate(text) !== true) throw new BrokenAnswer('The answer is not XML');
  return parser.parse(text) as Element;
}

export interface Multistatus {
  responses: Described[];
  token: string | null;
}

export function readMultistatus(text: string): Multistatus {
  const root = readXml(text);
  if (typeof root !== 'object' || root.multistatus === undefined)
    throw new BrokenAnswer('The answer is not a multistatus');
  const multistatus = child(root, 'multistatus');
  return {
    responses: children(multistatus, 'response').map(describe),
    token: textIn(child(multistatus, 'sync-token')).trim() || null,
  };
}

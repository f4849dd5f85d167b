import { type AddressToken, addressTokens } from './address-tokens.ts';
import { decodeWords, isEncodedWords } from './encoded-words.ts';

/** A mailbox as written in an address field. */
export interface WrittenAddress {
  name: string;
  address: string;
}

/**
 * The mailboxes of an address field, in order (RFC 5322, 3.4 and 4.4): groups expanded, comments and routes removed; a
 * comment is the name when there is no other. Parts without an address are skipped.
 */
export function addressesIn(value: string): WrittenAddress[] {
  return listed(value)
    .flatMap((mailbox) => {
      if (mailbox.address !== '') return mailbox;
      // Some programs encode all of `Name <address>`.
      const decoded = isEncodedWords(mailbox.name) ? decodeWords(mailbox.name) : '';
      return /<[^<>@]+@[^<>@]+>/.test(decoded) ? listed(decoded).filter(({ address }) => address !== '') : [];
    })
    .map(({ name, address }) => ({ name: decodeWords(name), address }));
}

function listed(value: string): WrittenAddress[] {
  const found: WrittenAddress[] = [];
  let tokens: AddressToken[] = [];
  for (const token of addressTokens(value)) {
    if (token.kind !== 'mark') {
      tokens.push(token);
      continue;
    }
    if (tokens.length === 0) continue;
    // The text before a colon is the name of a group.
    found.push(...mailboxesOf(tokens).filter(({ address }) => token.text !== ':' || address !== ''));
    tokens = [];
  }
  return [...found, ...mailboxesOf(tokens)];
}

/** One mailbox, or several addresses without anything between them. */
function mailboxesOf(tokens: AddressToken[]): WrittenAddress[] {
  const comment = tokens.find(({ kind }) => kind === 'comment')?.text ?? '';
  const angles = tokens.filter(({ kind }) => kind === 'angle').map(({ text }) => text);
  const angle = angles.find((text) => text.includes('@')) ?? angles[0];
  if (angle !== undefined) {
    const words = tokens.filter(({ kind }) => kind === 'word' || kind === 'quoted');
    return [{ name: words.map(({ text }) => text).join(' ') || comment, address: canonical(angle) }];
  }
  const pieces = joined(tokens);
  const isAddress = ({ kind, text }: AddressToken) => kind === 'word' && /^[^@]+@[^@]+$/.test(bare(text));
  const addresses = pieces.filter(isAddress).map(({ text }) => ({ name: '', address: canonical(text) }));
  if (addresses.length > 1) return addresses;
  const words = pieces.filter((piece) => !isAddress(piece)).map(({ text }) => text);
  return [{ name: words.join(' ') || comment, address: addresses[0]?.address ?? '' }];
}

/** An address without brackets may be in pieces, with white space or comments around its dots and at sign. */
function joined(tokens: AddressToken[]): AddressToken[] {
  const pieces: { kind: AddressToken['kind']; texts: string[]; goesOn: boolean }[] = [];
  for (const { kind, text } of tokens) {
    if (kind === 'comment') continue;
    const last = pieces.at(-1);
    const continues = kind === 'word' && /^[.@]/.test(text);
    if (last && (last.goesOn || continues)) {
      // A quoted string before an at sign is a local part; alone it is a name, with any content.
      if (last.kind === 'quoted') last.texts = [quotedText(last.texts.join(''))];
      last.kind = 'word';
      last.texts.push(kind === 'quoted' ? quotedText(text) : text);
      last.goesOn = /[.@]$/.test(text);
    } else {
      const goesOn = kind === 'word' && text.includes('@') && /[.@]$/.test(text);
      pieces.push({ kind, texts: [text], goesOn });
    }
  }
  return pieces.map(({ kind, texts }) => ({ kind, text: texts.join('') }));
}

const quotedText = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
const QUOTED_LOCAL = /^\s*"((?:[^"\\]|\\.){0,300})"\s*(@.*)$/s;
/** The text with a quoted local part made plain, to look for the at sign. */
const bare = (text: string) => text.replace(QUOTED_LOCAL, 'x$2');

/**
 * Removes white space, needless quotes of the local part (RFC 5321, 4.1.2), and characters pasted around the address.
 */
function canonical(address: string): string {
  const [, local, domain] = QUOTED_LOCAL.exec(address) ?? [];
  if (local === undefined || domain === undefined)
    return address
      .replace(/\s+/g, '')
      .replace(/^mailto:/i, '')
      .replace(/^'(.*)'$/, '$1');
  const plain = local.replace(/\\(.)/g, '$1');
  const isAtom = /^[^\s"(),:;<>@[\]\\.]+(?:\.[^\s"(),:;<>@[\]\\.]+)*$/.test(plain);
  return `${isAtom ? plain : quotedText(plain)}${domain.replace(/\s+/g, '')}`;
}

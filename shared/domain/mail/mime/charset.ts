import { isUtf8 } from 'node:buffer';

/**
 * Decodes text of mail in the character sets that browsers support (WHATWG Encoding Standard). Without a name, or with
 * US-ASCII or an unknown name, it is UTF-8 if all of it is valid UTF-8, else windows-1252, which assigns a character to
 * every byte.
 */

/** Names of US-ASCII, which the standard reads as windows-1252 although the text is usually UTF-8. */
const ASCII = new Set([
  'usascii',
  'ascii',
  'ansix341968',
  'ansix341986',
  'iso646us',
  'csascii',
  'us',
  'cp367',
]);

/** Names in mail that the standard lacks, without separators and the prefix `x-`. */
const ALIASES = new Map([
  ['latin1', 'iso-8859-1'],
  ['koi8r', 'koi8-r'],
  ['koi8u', 'koi8-u'],
  ['shiftjis', 'shift_jis'],
  ['eucjp', 'euc-jp'],
  ['euckr', 'euc-kr'],
  ['uhc', 'euc-kr'],
  ['iso2022jp', 'iso-2022-jp'],
  ['iso2022jp1', 'iso-2022-jp'],
  ['iso2022jp2', 'iso-2022-jp'],
  ['iso2022jpms', 'iso-2022-jp'],
  ['tis620', 'windows-874'],
  ['iso88598i', 'iso-8859-8-i'],
  ['utf16be', 'utf-16be'],
  ['utf16le', 'utf-16le'],
]);

/** Code pages as `cp932`, `windows-932`, `ms932`. */
const PAGES = new Map([
  ['866', 'ibm866'],
  ['874', 'windows-874'],
  ['932', 'shift_jis'],
  ['936', 'gbk'],
  ['949', 'euc-kr'],
  ['950', 'big5'],
  ['50220', 'iso-2022-jp'],
  ['50221', 'iso-2022-jp'],
  ['50222', 'iso-2022-jp'],
  ['51932', 'euc-jp'],
  ['54936', 'gb18030'],
  ['65001', 'utf-8'],
]);

/** A whole text; a byte order mark overrides any name, as in browsers. */
export function decodeText(bytes: Uint8Array, label: string | undefined): string {
  return decodeNamed(bytes, markOf(bytes) ?? label);
}

/** A part of a text, for example of a header field. */
export function decodeNamed(bytes: Uint8Array, label: string | undefined): string {
  return (decoderOf(label) ?? decoderOf(isUtf8(bytes) ? 'utf-8' : 'windows-1252')!).decode(bytes);
}

/** Whether the name is a supported character set. */
export function isKnownCharset(label: string): boolean {
  return decoderOf(label) !== null;
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

type Decoder = InstanceType<typeof TextDecoder>;

const decoders = new Map<string, Decoder | null>();
/** Messages can invent names, so the cache is limited. */
const MAX_KEPT = 500;

function decoderOf(label = ''): Decoder | null {
  // Only the name: some programs write `"utf-8; format=flowed"` or `'utf-8'`.
  const name = /^[\s"']*([\w.:+-]{1,50})/.exec(label)?.[1]?.toLowerCase() ?? '';
  const kept = decoders.get(name);
  if (kept !== undefined) return kept;
  if (decoders.size >= MAX_KEPT) decoders.clear();
  const made = newDecoder(name);
  decoders.set(name, made);
  return made;
}

function newDecoder(name: string): Decoder | null {
  const bare = name.replace(/^x-/, '').replace(/[^a-z0-9]+/g, '');
  if (name === '' || ASCII.has(bare)) return null;
  const page = /^(?:cp|windows|win|ms|ibm)(\d{3,5})$/.exec(bare)?.[1] ?? '';
  const names = new Set([
    name,
    ALIASES.get(bare) ?? bare,
    ...(page ? [PAGES.get(page) ?? `windows-${page}`] : []),
  ]);
  for (const each of names) {
    try {
      return new TextDecoder(each);
    } catch {
      // The standard does not have this name.
    }
  }
  return null;
}

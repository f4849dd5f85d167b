import { encode as quotedPrintable, wrap } from 'nodemailer/lib/qp/index.js';

export type Charset = 'iso-8859-1' | 'windows-1251' | 'iso-2022-jp' | 'gb18030';

type Table = Map<string, number[]>;

const tables = new Map<Charset, Table>();

/** Writes text in an old charset. A character the charset does not have is an error in the demo's text. */
export function encodeText(text: string, charset: Charset): Buffer {
  const table = tables.get(charset) ?? tableOf(charset);
  tables.set(charset, table);
  const bytes = text.split('\n').map((line) => {
    return charset === 'iso-2022-jp'
      ? shifted(line, table)
      : [...line].flatMap((char) => bytesOf(char, table, charset));
  });
  return Buffer.from(bytes.flatMap((line, index) => (index === 0 ? line : [0x0d, 0x0a, ...line])));
}

function bytesOf(char: string, table: Table, charset: Charset): number[] {
  const code = char.codePointAt(0)!;
  if (code < 0x80) return [code];
  const bytes = table.get(char) ?? (charset === 'gb18030' && code > 0xffff ? fourBytes(code) : undefined);
  if (!bytes) throw new Error(`${charset} has no character "${char}"`);
  return bytes;
}

/** ISO-2022-JP switches between ASCII and Japanese with escape sequences, and ends every line in ASCII. */
function shifted(line: string, table: Table): number[] {
  const bytes: number[] = [];
  let japanese = false;
  const shift = (wanted: boolean) => {
    if (wanted !== japanese) bytes.push(0x1b, ...(wanted ? [0x24, 0x42] : [0x28, 0x42]));
    japanese = wanted;
  };
  for (const char of line) {
    shift(char.codePointAt(0)! >= 0x80);
    bytes.push(...bytesOf(char, table, 'iso-2022-jp'));
  }
  shift(false);
  return bytes;
}

/** GB 18030 counts the characters beyond the first plane in steps of 10, 126 and 10. */
function fourBytes(code: number): number[] {
  const index = code - 0x10000 + 189_000;
  return [
    0x81 + Math.floor(index / 12_600),
    0x30 + (Math.floor(index / 1260) % 10),
    0x81 + (Math.floor(index / 10) % 126),
    0x30 + (index % 10),
  ];
}

/** Finds the bytes of every character by decoding all of them once. */
function tableOf(charset: Charset): Table {
  const table: Table = new Map();
  const decoder = new TextDecoder(charset);
  const learn = (bytes: number[], around: { before: number[]; after: number[] }) => {
    const char = decoder.decode(Uint8Array.from([...around.before, ...bytes, ...around.after]));
    if ([...char].length === 1 && char !== '\ufffd' && !table.has(char)) table.set(char, bytes);
  };
  const bare = { before: [], after: [] };
  if (charset === 'iso-8859-1' || charset === 'windows-1251') {
    for (let byte = 0x80; byte <= 0xff; byte++) {
      if (charset === 'windows-1251' || byte >= 0xa0) learn([byte], bare);
    }
    return table;
  }
  const escapes = { before: [0x1b, 0x24, 0x42], after: [0x1b, 0x28, 0x42] };
  const [low, high, around] =
    charset === 'gb18030' ? ([0x81, 0xfe, bare] as const) : ([0x21, 0x7e, escapes] as const);
  for (let lead = low; lead <= high; lead++) {
    for (let trail = charset === 'gb18030' ? 0x40 : 0x21; trail <= high; trail++) {
      if (trail !== 0x7f) learn([lead, trail], around);
    }
  }
  return table;
}

/** A header value; what is not ASCII becomes encoded words of at most 75 characters each. */
export function encodedWords(text: string, charset: Charset): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const letter = charset === 'iso-8859-1' ? 'Q' : 'B';
  const wordOf = (piece: string) => {
    const bytes = encodeText(piece, charset);
    const encoded = letter === 'B' ? bytes.toString('base64') : headerQuoted(bytes);
    return `=?${charset}?${letter}?${encoded}?=`;
  };
  const words: string[] = [];
  let piece = '';
  for (const char of text) {
    if (wordOf(piece + char).length > 75) {
      words.push(wordOf(piece));
      piece = '';
    }
    piece += char;
  }
  return [...words, wordOf(piece)].join('\r\n ');
}

function headerQuoted(bytes: Buffer): string {
  const safe = /[A-Za-z0-9]/;
  return [...bytes]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      if (byte === 0x20) return '_';
      return byte < 0x80 && safe.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** The body of a part as it travels. */
export function transferEncoded(bytes: Buffer, transfer: 'quoted-printable' | 'base64' | '7bit'): string {
  if (transfer === '7bit') return bytes.toString('latin1');
  if (transfer === 'base64') return bytes.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n');
  return wrap(quotedPrintable(bytes), 76);
}

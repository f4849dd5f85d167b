import { demoMail } from '../../infra/local/demo/mail.ts';
import { type ZipFileSpec, zipOf } from '../domain/mail/archives/archive-source.ts';
import type { Dice } from './dice.ts';

/** Random archives of the demo's mail, in the forms that programs write, with malformed messages (poison). */

export interface MadeArchive {
  file_name: string;
  content_type: string;
  bytes: Buffer;
  /** What was put in, in order. */
  items: Item[];
}

interface Item {
  /** `good` mail has to be imported, `again` is skipped, and `bad` is only counted. */
  kind: 'good' | 'again' | 'bad';
  /** The text as given, Latin-1; for mail in an mbox without the form's escapes. */
  text: string;
}

interface Dialect {
  /** The line above each message, without its end. */
  envelope: string;
  end: '\n' | '\r\n';
  /** A blank line after each message. */
  blank: boolean;
  escape: RegExp | null;
  /** Each message has a Content-Length. */
  sized: boolean;
  /** The envelope is enough to separate text without a header below it from the message before. */
  telling: boolean;
}

const RD = /^(>*From )/gm;
const O = /^(From )/gm;
const plain: Dialect = {
  envelope: 'From ann@a.example Tue Nov 17 21:28:37 2009',
  end: '\n',
  blank: true,
  escape: RD,
  sized: false,
  telling: true,
};
const loose = { ...plain, telling: false };

export const dialects: Record<string, Dialect> = {
  mboxrd: plain,
  'mboxo with CRLF': { ...plain, escape: O, end: '\r\n' },
  'list archive': { ...plain, envelope: 'From ann at a.example  Tue Nov 17 21:28:37 2009' },
  'zone before the year': { ...plain, envelope: 'From 1655@xxx Tue Nov 17 21:28:37 +0000 2009', end: '\r\n' },
  'no weekday': { ...plain, envelope: 'From ann@a.example Nov 17 21:28:37 2009' },
  'ISO date': { ...plain, envelope: 'From ann@a.example 2009-11-17T21:28:37+06:00' },
  'dash and date, nothing escaped': {
    ...plain,
    envelope: 'From - Tue Nov 17 21:28:37 2009',
    end: '\r\n',
    escape: null,
  },
  'dash alone': { ...loose, envelope: 'From - ' },
  'nothing but From': { ...loose, envelope: 'From ', end: '\r\n' },
  'address alone': { ...loose, envelope: 'From ann@a.example' },
  'sender with spaces': { ...loose, envelope: 'From Ann Lee Tue Nov 17 21:28:37 2009' },
  'no blank line': { ...loose, blank: false },
  'no blank line, ISO date': {
    ...loose,
    blank: false,
    envelope: 'From a@x 2009-11-17 21:28:37',
    end: '\r\n',
  },
  mboxcl: { ...plain, sized: true },
  mboxcl2: { ...plain, sized: true, escape: null },
  'mboxcl2 with CRLF': { ...plain, sized: true, escape: null, end: '\r\n' },
};

const PROSE = [
  'From Russia with love',
  'From time to time: we meet again.',
  'From here on it is uphill:\nSubject: to change',
];
const ENVELOPES = ['From bob@b.example Tue Nov 17 21:28:37 2009\nSubject: quoted\n', 'From -\nSubject: b\n'];

const demo = demoMail(new Date('2026-11-20T09:00:00Z')).then((mail) =>
  mail.map(({ raw }) => raw.toString('latin1').replaceAll('\r\n', '\n')),
);

/** The demo's mail as LF text; `mark` makes the Message-IDs of one archive its own. */
async function mailOf(mark: string): Promise<string[]> {
  const texts = await demo;
  const ids = new Set(texts.flatMap((text) => /^Message-ID:\s*<([^>]+)>/im.exec(text)?.[1] ?? []));
  return texts.map((text) =>
    text.replace(/<([^<>\s]+)>/g, (all, id) => (ids.has(id) ? `<${mark}.${id}>` : all)),
  );
}

const junk = (dice: Dice) =>
  `\0${Buffer.from(Array.from({ length: 200 }, () => dice.int(0, 255))).toString('latin1')}\n`;
const multipart = (id: string, body: string) =>
  `Message-ID: <${id}>\nFrom: x@y.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n${body}`;

/** Poison that begins with a header, and poison that does not. */
const withHeader: ((id: string, dice: Dice) => string)[] = [
  (id) => `Message-ID: <${id}>\nFrom: x@y.example\nX-Long: ${'x'.repeat(1_200_000)}\n\ntext\n`,
  (id) => `Message-ID: <${id}>\nFrom: x@y.example\nSubject: no body`,
  (id) =>
    multipart(id, `--b\nContent-Transfer-Encoding: base64\n\n%%%${'='.repeat(100)}\n--c\nnever closed\n`),
  (id) => multipart(id, '--b\n\n\n'.repeat(1200)),
  (id, dice) => `Message-ID: <${id}>\nFrom: x@y.example\n\n${junk(dice)}`,
];
const withoutHeader: ((dice: Dice) => string)[] = [() => 'no header at all\nnot here\n', junk, () => ''];
const MB = 1024 * 1024;
const tooLarge = (id: string) =>
  `Message-ID: <${id}>\nFrom: x@y.example\n\n${`${'y'.repeat(1023)}\n`.repeat(26 * 1024)}`;

/** What goes into an archive: mail, the same mail again, poison; LF text. */
async function itemsOf(dice: Dice, mark: string, poison: string[]): Promise<Item[]> {
  const mail = dice.shuffled(await mailOf(mark)).slice(0, dice.int(3, 14));
  const good = mail.map((text): Item => ({ kind: 'good', text }));
  const again = dice.some(good.slice(0, 3)).map((item): Item => ({ ...item, kind: 'again' }));
  const bad = poison.map((text): Item => ({ kind: 'bad', text }));
  const items = dice.shuffled([...good, ...again, ...bad]);
  // The first one is the one that is imported.
  const seen = new Set<string>();
  return items.map((item) => {
    if (item.kind === 'bad') return item;
    const kind = seen.has(item.text) ? 'again' : 'good';
    seen.add(item.text);
    return { kind, text: item.text };
  });
}

function poisonOf(dice: Dice, mark: string, headless: boolean): string[] {
  const made = dice.some(withHeader).map((make, index) => make(`${mark}.poison-${index}@x`, dice));
  const bare = headless ? dice.some(withoutHeader).map((make) => make(dice)) : [];
  return [...made, ...bare, ...(dice.chance(5) ? [tooLarge(`${mark}.large@x`)] : [])];
}

/** Text below the message that looks like the beginning of another one, where the form can separate it. */
function temptation(dice: Dice, dialect: Dialect): string {
  const text = dice.chance(50) ? `\n${dice.pick(PROSE)}\n` : '';
  if (!dialect.escape && !dialect.sized) return text;
  const quoted = dialect.escape === O ? '' : '>From a reply\n';
  return dice.chance(50) ? `${text}\n${dice.pick(ENVELOPES)}${quoted}\nend\n` : text;
}

/** The message as the form keeps it, and as it is to be read. */
function written(dialect: Dialect, text: string): { kept: string; read: string } {
  const { end, sized } = dialect;
  const read = (text === '' || text.endsWith('\n') ? text : `${text}\n`).replaceAll('\n', end);
  const kept = dialect.escape ? read.replace(dialect.escape, '>$1') : read;
  if (!sized || !/^[\w-]+:/.test(text)) return { kept, read };
  const length = (body: string) => `Content-Length: ${body.length}${end}`;
  const [header, body] = partsOf(kept, end);
  const [, plainBody] = partsOf(read, end);
  return {
    kept: `${header}${length(body)}${end}${body}`,
    read: `${header}${length(body)}${end}${plainBody}`,
  };
}

/** The header with the end of its last line, and what is below the blank line. */
function partsOf(text: string, end: string): [header: string, body: string] {
  const at = text.indexOf(end + end);
  return at === -1 ? [text, ''] : [text.slice(0, at + end.length), text.slice(at + 2 * end.length)];
}

async function mbox(dice: Dice, mark: string, name: string): Promise<MadeArchive> {
  const dialect = dialects[name]!;
  const items = (await itemsOf(dice, mark, poisonOf(dice, mark, dialect.telling))).map((item) => ({
    ...item,
  }));
  const pieces: string[] = [];
  const again = new Map<string, string>();
  for (const item of items) {
    const tempting =
      again.get(item.text) ?? `${item.text}${item.kind === 'bad' ? '' : temptation(dice, dialect)}`;
    again.set(item.text, tempting);
    const { kept, read } = written(dialect, tempting);
    item.text = read;
    pieces.push(`${dialect.envelope}${dialect.end}${kept}${dialect.blank ? dialect.end : ''}`);
  }
  // The end of an archive that was not copied whole: the last message has less text than it had.
  if (dice.chance(30)) {
    const length = dialect.sized ? 'Content-Length: 999\n' : '';
    const text = `Message-ID: <${mark}.last@x>\nFrom: x@y.example\nSubject: cut off\n${length}\nsome te`;
    items.push({ kind: 'bad', text });
    pieces.push(`${dialect.envelope}${dialect.end}${text.replaceAll('\n', dialect.end)}`);
  }
  const bom = dice.chance(20) ? '\xef\xbb\xbf' : '';
  const bytes = Buffer.from(bom + pieces.join(''), 'latin1');
  return { file_name: 'archive', content_type: 'application/mbox', bytes, items };
}

const brokenFiles: ((name: string) => ZipFileSpec)[] = [
  (name) => ({ name: `${name}.jpg`, content: 'x' }),
  (name) => ({ name: `${name}.eml`, content: 'Subject: x\n\nx', flags: 0x801 }),
  (name) => ({ name: `${name}.eml`, content: 'Subject: x\n\nx', crc: 7 }),
  (name) => ({ name: `${name}.eml`, content: 'Subject: x\n\nx', size: 100 }),
  (name) => ({ name: `${name}.eml`, content: Buffer.alloc(5 * MB) }),
  (name) => ({ name: `../../${name}.zip`, content: zipOf([{ name: 'a.eml', content: 'Subject: x\n\nx' }]) }),
];

async function zip(dice: Dice, mark: string): Promise<MadeArchive> {
  const items = await itemsOf(dice, mark, poisonOf(dice, mark, true));
  const files = items.map(({ text }, index): ZipFileSpec => {
    const content = Buffer.from(text, 'latin1');
    return { name: `${dice.pick(['', 'mail/', '../'])}${index}.eml`, content, stored: dice.chance(30) };
  });
  for (const [index, broken] of dice.some(brokenFiles).entries()) {
    const at = dice.int(0, files.length);
    files.splice(at, 0, broken(`broken-${index}`));
    items.splice(at, 0, { kind: 'bad', text: '' });
  }
  // Files that are not failures, because they hold no mail.
  files.push({ name: 'mail/', content: '' }, { name: '__MACOSX/._0.eml', content: 'x' });
  return { file_name: 'mail.zip', content_type: 'application/zip', bytes: zipOf(files), items };
}

/** As Google Takeout delivers it. */
async function takeout(dice: Dice, mark: string): Promise<MadeArchive> {
  const { bytes: content, items } = await mbox(dice, mark, dice.pick(Object.keys(dialects)));
  const files: ZipFileSpec[] = [
    { name: 'Takeout/archive_browser.html', content: 'x' },
    { name: 'Takeout/Mail/All mail.mbox', content, stored: dice.chance(30), zip64: dice.chance(30) },
  ];
  return { file_name: 'takeout.zip', content_type: 'application/zip', bytes: zipOf(files), items };
}

async function single(dice: Dice, mark: string): Promise<MadeArchive> {
  const mail = dice.chance(70) ? dice.pick(await mailOf(mark)) : null;
  const item: Item = mail
    ? { kind: 'good', text: mail }
    : { kind: 'bad', text: dice.pick([...withHeader.map((make) => make(`${mark}@x`, dice)), 'no header\n']) };
  const bytes = Buffer.from(item.text, 'latin1');
  return { file_name: 'one.eml', content_type: 'message/rfc822', bytes, items: [item] };
}

/** The archive that `dice` and the number of the run make; one run in as many as there are forms has each form. */
export function madeArchive(dice: Dice, run: number): Promise<MadeArchive> {
  const forms = [...Object.keys(dialects), 'zip', 'zip', 'takeout', 'eml'];
  const form = forms[run % forms.length]!;
  const mark = `archive-${run}`;
  if (form === 'zip') return zip(dice, mark);
  if (form === 'takeout') return takeout(dice, mark);
  return form === 'eml' ? single(dice, mark) : mbox(dice, mark, form);
}

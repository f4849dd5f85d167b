import PostalMime, { type Email } from 'postal-mime';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DemoMail, demoMail } from '../../infra/local/demo/mail.ts';
import * as notes from '../../infra/local/demo/notes.ts';
import { demoAccounts } from '../../infra/local/demo/people.ts';

const now = new Date('2026-11-20T21:00:00Z');
const day = 24 * 60 * 60 * 1000;

/** The threads of the demo and how many messages each has, in order of their first message. */
const threads = {
  'The boiler at the Old Chapel': 3,
  'Would you open Small Machines in Porto?': 5,
  'Are we too cheap?': 4,
  'The Torque Letter no. 41: in praise of the washer': 1,
  'Forty Limpets for the fleet': 11,
  'Anfrage: 500 Druckfedern für den Limpet': 5,
  'The office fern is not well': 5,
  'Housing, second version: where do the clips go?': 5,
  'Candidature : ingénieure acoustique': 5,
  'Сравнение датчиков: предварительные результаты': 3,
  'Desarrollador de firmware (y de paciencia)': 3,
  工場見学のお礼と試験結果のご報告: 3,
  'Invoice HP-1187 for your labels': 4,
  第二批外壳样品已寄出: 3,
  'Finding an hour that exists in three time zones': 5,
  'Scan from the hallway copier': 1,
  '[Tidewater] Elevated errors in region north-2': 2,
  'The quiet hour in north-2': 6,
  'سؤال حول ترجمة دليل الاستخدام': 3,
  'Your berth is confirmed (7Q2XK)': 1,
  'The Torque Letter no. 42: listening to bearings': 1,
  '': 2,
  'Harbour day: what to bring': 3,
};

interface Parsed extends DemoMail {
  email: Email;
  source: string;
}

async function parsedMail(at: Date): Promise<Parsed[]> {
  const mails = await demoMail(at);
  const parse = async (mail: DemoMail) => ({
    ...mail,
    email: await PostalMime.parse(mail.raw),
    source: mail.raw.toString('latin1'),
  });
  return Promise.all(mails.map(parse));
}

function referencesOf(email: Email): string[] {
  return email.references?.split(/\s+/) ?? [];
}

function topic(email: Email): string {
  return (email.subject ?? '').replace(/^((re|fwd|aw|回复)\s*:\s*)+/i, '').replace(/^re:$/i, '');
}

describe('the mail of the demo workspace', () => {
  let all: Parsed[] = [];
  beforeAll(async () => {
    all = await parsedMail(now);
  });
  const some = (matches: (mail: Parsed) => boolean) => all.filter(matches).length;
  const held = (mailbox: 'ada' | 'grace') => some((mail) => mail.mailboxes.includes(mailbox));

  test('fills two mailboxes that overlap', () => {
    expect(all).toHaveLength(84);
    expect(held('ada')).toBeGreaterThan(60);
    expect(held('grace')).toBeGreaterThan(50);
    expect(some((mail) => mail.mailboxes.length === 2)).toBeGreaterThan(40);
    expect(some((mail) => mail.mailboxes.join() === 'ada')).toBeGreaterThan(15);
    expect(some((mail) => mail.mailboxes.join() === 'grace')).toBeGreaterThan(8);
    expect(some((mail) => mail.mailboxes.length === 0)).toBe(0);
  });

  test('a mailbox holds what its owner sent or received', () => {
    for (const { email, mailboxes } of all) {
      const people = [email.from, ...(email.to ?? []), ...(email.cc ?? [])].map((person) => person?.address);
      for (const mailbox of ['ada', 'grace'] as const) {
        const expected = people.includes(`${mailbox}@acme.example`) || people.includes('team@acme.example');
        expect(mailboxes.includes(mailbox), email.subject).toBe(expected);
      }
    }
  });

  test('every message is complete, and all addresses are at .example', () => {
    for (const { email, source } of all) {
      expect(email.from?.address).toMatch(/\.example$/);
      expect(email.to?.length).toBeGreaterThan(0);
      expect(`${email.text ?? ''}${email.html ?? ''}`.trim()).not.toBe('');
      expect(`${email.text} ${email.html} ${email.subject} ${email.from?.name}`).not.toContain('\ufffd');
      expect(source).not.toMatch(/[^\r]\n/);
      for (const [, domain] of source.matchAll(/[a-z]@([a-z-]+(?:\.[a-z-]+)+)/g)) {
        expect(domain).toMatch(/\.example$/);
      }
    }
    expect(new Set(all.map((mail) => mail.email.messageId)).size).toBe(all.length);
    expect(some((mail) => mail.email.messageId === undefined)).toBe(1);
    expect(some((mail) => mail.email.subject === undefined)).toBe(1);
  });

  test('replies refer to earlier messages of the set', () => {
    const dates = new Map(all.map(({ email }) => [email.messageId, email.date!]));
    for (const { email } of all) {
      const references = referencesOf(email);
      expect(references.at(-1)).toBe(email.inReplyTo);
      for (const id of references) expect(dates.get(id)! < email.date!, `${email.subject} ${id}`).toBe(true);
    }
    expect(some((mail) => mail.email.inReplyTo !== undefined)).toBeGreaterThan(55);
  });

  test('references and subjects give the threads', () => {
    const threadOf = new Map<string | undefined, string>();
    const counts: Record<string, number> = {};
    for (const { email } of all) {
      const parent = threadOf.get(email.inReplyTo ?? 'none');
      const thread = parent === topic(email) ? parent : topic(email);
      threadOf.set(email.messageId, thread);
      counts[thread] = (counts[thread] ?? 0) + 1;
    }
    expect(counts).toEqual(threads);
    const turn = all.find((mail) => mail.email.subject === 'Harbour day: what to bring')!;
    expect(turn.email.inReplyTo).toBe('<fleet-10@acme.example>');
    expect(some((mail) => mail.email.subject?.startsWith('Fwd: ') === true)).toBe(1);
  });

  test.each([
    ['German', /Sehr geehrte Frau Hopper,[\s\S]*für die\s+kürzeste Zeichnung/],
    ['French', /J'écoute\s+les machines depuis l'enfance/],
    ['Spanish', /Le escribo por el puesto de desarrollador/],
    ['Japanese', /いつもお世話になっております。/],
    ['Russian', /Лабораторный кот спал/],
    ['Chinese', /这是最高评价。[\s\S]*🍵/],
    ['Arabic', /بقصة\s+الدلو والنورس/],
  ])('somebody writes %s', (_language, words) => {
    expect(some((mail) => words.test(mail.email.text ?? ''))).toBeGreaterThan(0);
  });

  test.each([
    ['utf-8', 'quoted-printable', 40],
    ['iso-8859-1', 'quoted-printable', 2],
    ['windows-1251', 'base64', 2],
    ['iso-2022-jp', '7bit', 2],
    ['gb18030', 'base64', 2],
  ])('%s travels as %s', (charset, transfer, least) => {
    const part = new RegExp(`charset=${charset}\\r\\nContent-Transfer-Encoding: ${transfer}\\r\\n`);
    expect(some((mail) => part.test(mail.source))).toBeGreaterThanOrEqual(least);
    if (charset !== 'utf-8') expect(some((mail) => mail.source.includes(`=?${charset}?`))).toBeGreaterThan(0);
  });

  test('mail programs leave their marks', () => {
    const marks =
      'gmail_attr gmail_signature MsoNormal divRplyFwdMsg Apple-interchange-newline moz-cite-prefix yahoo_quoted protonmail_quote';
    for (const mark of marks.split(' '))
      expect(
        some((mail) => mail.email.html?.includes(`"${mark}"`) === true),
        mark,
      ).toBeGreaterThan(0);
    expect(some((mail) => !mail.email.html && /^> /m.test(mail.email.text ?? ''))).toBeGreaterThan(3);
    const header = (name: string, value: string) =>
      some((mail) => mail.email.headers.some((each) => each.key === name && each.value.includes(value)));
    expect(header('list-unsubscribe', 'https://')).toBe(2);
    expect(header('auto-submitted', 'auto-generated')).toBe(3);
  });

  test('attachments and inline images are real', () => {
    const files = all.flatMap((mail) =>
      mail.email.attachments.map((file) => ({ ...file, html: mail.email.html })),
    );
    const bytes = (file: (typeof files)[number]) => Buffer.from(file.content as ArrayBuffer);
    const pdfs = files.filter((file) => file.mimeType === 'application/pdf').map(bytes);
    expect(pdfs.length).toBeGreaterThanOrEqual(5);
    for (const pdf of pdfs) {
      const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf.toString('latin1'))?.[1]);
      expect(pdf.subarray(table, table + 4).toString()).toBe('xref');
    }
    expect(files.some((file) => file.mimeType === 'text/csv' && `${bytes(file)}`.includes('Doreen'))).toBe(
      true,
    );
    expect(files.some((file) => file.mimeType === 'text/calendar' && file.method === 'REQUEST')).toBe(true);
    expect(files.some((file) => file.filename === 'Angebot 0417 Krämer Federn.pdf')).toBe(true);
    const images = files.filter((file) => file.mimeType === 'image/png');
    for (const image of images) {
      expect(bytes(image).subarray(1, 4).toString()).toBe('PNG');
      expect(image.html).toContain(`cid:${image.contentId?.slice(1, -1)}`);
    }
    const sizes = new Set(
      images.map((image) => `${bytes(image).readUInt32BE(16)}x${bytes(image).readUInt32BE(20)}`),
    );
    expect(sizes).toEqual(new Set(['160x100', '160x80', '24x24', '1x1']));
    for (const { email } of all) {
      for (const [, cid] of email.html?.matchAll(/"cid:([^"]+)"/g) ?? []) {
        expect(email.attachments.map((file) => file.contentId)).toContain(`<${cid}>`);
      }
    }
  });

  test('the same start time gives the same bytes', async () => {
    expect(await demoMail(now)).toEqual(await demoMail(new Date(now)));
  });

  test.each([
    '2026-11-20T21:00:00Z',
    '2026-11-23T00:00:00Z',
    '2026-03-29T23:59:59.999Z',
    '2027-01-02T12:00:00Z',
    '2028-03-01T04:30:00Z',
  ])('started at %s, mail is recent, in order and never from the future', async (at) => {
    const start = new Date(at);
    const mails = await Promise.all((await demoMail(start)).map((mail) => PostalMime.parse(mail.raw)));
    const dates = new Map(mails.map((email) => [email.messageId, Date.parse(email.date!)]));
    const sorted = mails.map((email) => Date.parse(email.date!));
    expect(sorted).toEqual([...sorted].sort((a, b) => a - b));
    expect(sorted[0]).toBeGreaterThan(start.getTime() - 30 * day);
    expect(sorted.at(-1)).toBeLessThanOrEqual(start.getTime());
    expect(sorted.filter((date) => date > start.getTime() - 10 * day).length).toBeGreaterThan(
      mails.length / 2,
    );
    for (const email of mails) {
      if (email.inReplyTo) expect(dates.get(email.inReplyTo)).toBeLessThan(dates.get(email.messageId)!);
    }
  });
});

describe('records around the mail', () => {
  test('notes speak of threads, tags and users that exist', () => {
    for (const note of [...notes.demoComments, ...notes.demoTaggings, ...notes.demoFlags]) {
      expect(Object.keys(threads)).toContain(note.thread_subject);
    }
    const tags = notes.demoTags.map((tag) => tag.name);
    expect(tags).toHaveLength(6);
    for (const { tag } of notes.demoTaggings) expect(tags).toContain(tag);
    for (const comment of notes.demoComments) {
      const users = demoAccounts[0]!.users.filter((user) => comment.html_content.includes(`@${user.name}`));
      expect(users.map((user) => user.key).sort()).toEqual([...comment.mentions].sort());
      expect(comment.mentions).not.toContain(comment.author);
    }
  });

  test('contacts write the mail', async () => {
    const senders = new Set((await parsedMail(now)).map((mail) => mail.email.from?.address));
    expect(notes.demoContacts).toHaveLength(10);
    for (const contact of notes.demoContacts) expect(senders).toContain(contact.email_addresses[0]);
  });
});

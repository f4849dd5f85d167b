import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { createDraft } from '../../../support/drafts.ts';
import { givenUpload } from '../../../support/files.ts';
import { givenSender, runSending, SendingServers } from '../../../support/sending-mail.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** What is on the wire, as other programs read it. */

interface Sent {
  raw: string;
  mail: Email;
  /** Of its first attachment. */
  cid: string;
}

const NAME = 'Größe 語 "neu"; und ein langer Name, der nicht auf eine Zeile passt, weil er so lang ist.pdf';
const PARAGRAPH = `${'Wir kommen am Mittag, wie besprochen. '.repeat(12)}Ende.`;
const STUFFED = ['.', '..dots', 'From the pier', '>not quoted?', ' a space', '-- ', 'Ada'].join('\n');
const UNBROKEN = 'x'.repeat(5_000);
const LONGEST = 'x'.repeat(997);
const SMUGGLED = 'Hello\r\n.\r\nMAIL FROM:<eve@x.example>\n.\nDATA\r.\rEnd';
const SUBJECT = `Überfahrt ${'nach Süden '.repeat(60)}😀`.trim();

interface Case {
  name: string;
  draft: object;
  file?: { name: string; type?: string };
  /** Shows the attachment in its HTML. */
  inline?: true;
  check(sent: Sent): void;
}

const withoutEnd = (text = '') => text.replace(/\r\n/g, '\n').replace(/\n+$/, '');
/** A header with its folded lines. */
const header = ({ raw }: Sent, name: string) =>
  raw.slice(0, raw.indexOf('\r\n\r\n')).match(new RegExp(`^${name}:(?: .*)?(?:\r\n[ \t].*)*`, 'gim')) ?? [];

const all: Case[] = [
  {
    name: 'a paragraph of several lines that programs join again',
    draft: { body: PARAGRAPH },
    check({ raw, mail }) {
      expect(raw).toContain('Content-Type: text/plain; charset=utf-8; format=flowed');
      expect(withoutEnd(mail.text)).toBe(PARAGRAPH);
      expect(mail.html).toContain(PARAGRAPH);
    },
  },
  {
    name: 'lines that mean something in mail',
    draft: { body: STUFFED },
    check: ({ mail }) => expect(withoutEnd(mail.text)).toBe(STUFFED),
  },
  {
    name: 'words longer than a line may be',
    draft: { body_html: `<p>${UNBROKEN}</p>` },
    check({ mail }) {
      expect(withoutEnd(mail.text)).toBe(UNBROKEN);
      expect(mail.html).toContain(UNBROKEN);
    },
  },
  {
    name: 'a subject of many letters beyond ASCII',
    draft: { subject: SUBJECT },
    check: ({ mail }) => expect(mail.subject).toBe(SUBJECT),
  },
  {
    name: 'a subject of one word that is as long as a line',
    draft: { subject: LONGEST },
    check: ({ mail }) => expect(mail.subject).toBe(LONGEST),
  },
  {
    name: 'a text that could end the mail and begin another one',
    draft: { body: SMUGGLED },
    check({ raw, mail }) {
      expect(withoutEnd(mail.text)).toBe(SMUGGLED.replace(/\r\n?/g, '\n'));
      expect(raw.match(/^MAIL FROM/gm)).toHaveLength(1);
    },
  },
  {
    name: 'hidden recipients in no header',
    draft: { cc_email_addresses: ['cy@x.example'], bcc_email_addresses: ['hidden@x.example'] },
    check(sent) {
      expect(sent.raw).not.toMatch(/hidden|^bcc:/im);
      expect(header(sent, 'Cc')).toEqual(['Cc: cy@x.example']);
    },
  },
  {
    name: 'a Message-ID in the domain that sends',
    draft: { from_email_address: 'ada@quay.example' },
    check(sent) {
      expect(sent.mail.from?.address).toBe('ada@quay.example');
      expect(header(sent, 'Message-ID')).toEqual([
        expect.stringMatching(/^Message-ID: <\S+@quay\.example>$/),
      ]);
    },
  },
  {
    name: 'a file whose name is not ASCII (RFC 2231)',
    draft: { body: 'See the file.' },
    file: { name: NAME, type: 'text/plain' },
    check({ raw, mail }) {
      expect(raw.match(/format=flowed/g)).toHaveLength(1);
      expect(raw).toMatch(/filename\*0\*=utf-8''/i);
      expect(mail.attachments).toMatchObject([{ filename: NAME, disposition: 'attachment' }]);
    },
  },
  {
    name: 'an image within the text',
    draft: {},
    file: { name: 'pier.png', type: 'image/png' },
    inline: true,
    check({ raw, mail, cid }) {
      expect(raw).toContain('Content-Type: multipart/related;');
      expect(mail.html).toContain(`src="cid:${cid}"`);
      expect(mail.attachments).toMatchObject([
        { contentId: `<${cid}>`, disposition: 'inline', related: true, mimeType: 'image/png' },
      ]);
    },
  },
];

describe('the mail that a draft becomes', () => {
  let workspace: Workspace;
  let servers: SendingServers;
  const sent = new Map<string, Sent>();

  async function queue(
    mailbox_id: string,
    { draft, file, inline }: Case,
  ): Promise<[id: string, cid: string]> {
    const { api } = workspace.ada;
    const { id } = await createDraft(workspace.ada, {
      ...{ mailbox_id, to_email_addresses: ['priya@ferries.example'], subject: 'Winter' },
      ...draft,
    });
    let cid = '';
    if (file) {
      const { id: upload_id } = await givenUpload(workspace.ada, { ...file, bytes: 'Bytes.' } as never);
      const attached = await api.attachToDraft({
        params: { draft_id: id },
        body: { attachment: { upload_id } },
      });
      cid = attached.body.draft.attachments[0]?.content_id ?? '';
    }
    const body_html = `<p>The pier: <img src="cid:${cid}" alt="Pier" /></p>`;
    if (inline) await api.updateDraft({ params: { id }, body: { draft: { body_html } } });
    await api.sendDraft({ params: { draft_id: id }, body: {} });
    return [id, cid];
  }

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    servers = await new SendingServers().start();
    const mailbox_id = await givenSender(workspace, workspace.ada, servers);
    await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, mailbox_id), {
      set: { name: 'Ada “the boat” Lovelace, Çelik', aliases: ['ada@quay.example'] },
    });
    for (const each of all) {
      const [id, cid] = await queue(mailbox_id, each);
      await runSending(workspace);
      const { raw } = servers.taken.find((taken) => taken.raw.includes(`<${id}@`)) ?? { raw: '' };
      sent.set(each.name, { raw, cid, mail: await PostalMime.parse(Buffer.from(raw, 'latin1')) });
    }
  });
  afterAll(async () => {
    await servers?.stop();
    await workspace?.stop();
  });

  it.each(all)('has $name', ({ name, check }) => {
    const mail = sent.get(name) as Sent;
    check(mail);
    expect(mail.mail.from?.name).toBe('Ada “the boat” Lovelace, Çelik');
    expect(mail.raw).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
    expect(Math.max(...mail.raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    for (const once of ['Message-ID', 'Date', 'From', 'To', 'Subject', 'MIME-Version'])
      expect(header(mail, once), once).toHaveLength(1);
  });
});

import { parse } from 'content-disposition';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { uploadFile } from '../../support/files.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../support/mail.ts';
import { type MailFile, withFiles } from '../../support/mail-files.ts';
import { giveMailbox, takeMailbox } from '../../support/mailbox-access.ts';
import { bearer, raw } from '../../support/raw.ts';
import { onThread } from '../../support/shares.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ mail: true });
});
afterAll(() => workspace?.stop());

/** The attachments of the user's newest thread in the mailbox, by name, and its HTML. */
async function readMail(user: TestUser, mailbox_id: string) {
  const [listed] = await listAllThreads(user.reader, { mailbox_id });
  const { thread } = (await user.reader.retrieveThread({ params: { id: listed?.id ?? '' } })).body;
  const messages = thread.messages ?? [];
  const attachments = messages.flatMap((message) => message.attachments ?? []);
  const ids = attachments.map(({ id, file_id, file }) => [file?.file_name, { id, file_id: file_id ?? '' }]);
  const html = messages.map(({ body }) => body?.sanitized_html ?? '').join('');
  return { id: thread.id, html, files: Object.fromEntries(ids) as Record<string, Sent> };
}

interface Sent {
  id: string;
  file_id: string;
}

const download = ({ reader }: TestUser, { id, file_id }: Sent) =>
  reader.downloadFile({ params: { file_id }, query: { attachment_id: id } });
const downloadAny = ({ reader }: TestUser, { file_id }: Sent) => reader.downloadFile({ params: { file_id } });

/** What the link gives, to somebody without a key. */
async function follow(response: { headers: Headers }) {
  const found = await fetch(response.headers.get('location') as string);
  return { found, bytes: Buffer.from(await found.arrayBuffer()) };
}

const notFound = { status: 404, code: 'record_not_found' };

let imported = 0;

/** A mail of its own with these files in a mailbox of its own. */
async function givenFiles(user: TestUser, html: string, files: MailFile[]) {
  const mailbox = await givenMailbox(workspace, user, user.user.account_id);
  const mail = eml({ id: `files-${++imported}@x`, ...withFiles(html, files) });
  await importMail(workspace, user, mailbox, [mail]);
  return { mailbox, ...(await readMail(user, mailbox)) };
}

describe('GET /files/{file_id}/download', () => {
  it('leads for a minute to the very bytes, which need no key', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256));
    const { files } = await givenFiles(workspace.ada, '', [{ name: 'log.bin', content: bytes }]);
    const response = await download(workspace.ada, files['log.bin'] as Sent);
    expect(response.status).toBe(302);
    expect(response.body).toBeNull();
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const url = new URL(response.headers.get('location') as string);
    expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
    const { found, bytes: received } = await follow(response);
    expect(found.status).toBe(200);
    expect(received.equals(bytes)).toBe(true);
    expect(found.headers.get('cache-control')).toBe('private, no-store');
  });

  longIt('loads what the HTML of a mail shows, as an image', async () => {
    const html = '<p>See</p><img src="cid:chart@x">';
    const chart = { name: 'chart.png', type: 'image/png', content: PIXEL, content_id: 'chart@x' };
    const mail = await givenFiles(workspace.ada, html, [chart]);
    const [, path] = /src="([^"]+)"/.exec(mail.html) as unknown as [string, string];
    const headers = [bearer(workspace.ada.read_key), ['Accept', 'image/*'] as [string, string]];
    const response = await raw(workspace.url, { path, headers });
    expect(response.status).toBe(302);
    const { found, bytes } = await follow({ headers: new Headers(response.headers) });
    expect(found.headers.get('content-type')).toBe('image/png');
    expect(bytes.equals(PIXEL)).toBe(true);
    expect((await raw(workspace.url, { path })).status).toBe(401);
  });

  it('is served to HEAD, and to a key that only reads', async () => {
    const { files } = await givenFiles(workspace.ada, '', [{ name: 'a.txt', content: 'a' }]);
    const path = `/files/${files['a.txt']?.file_id}/download`;
    const head = await raw(workspace.url, {
      method: 'HEAD',
      path,
      headers: [bearer(workspace.ada.read_key)],
    });
    expect([head.status, head.text]).toEqual([302, '']);
  });

  it('ends: the link of a minute ago gives nothing', async () => {
    const { files } = await givenFiles(workspace.ada, '', [{ name: 'a.txt', content: 'a' }]);
    workspace.setTime(new Date(Date.now() - 61_000));
    const response = await download(workspace.ada, files['a.txt'] as Sent);
    workspace.setTime(undefined);
    const { found, bytes } = await follow(response);
    expect([found.status, bytes.includes('a.txt')]).toEqual([403, false]);
  });
});

describe('who may read a file', () => {
  /** One thread: Ada has the first mail of it, Grace the second; each has a file of its own, and the same logo. */
  async function givenHalves(name: string) {
    const { ada, grace } = workspace;
    const [first, second] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, grace)];
    const logo = { name: 'logo.png', type: 'image/png', content: PIXEL };
    const files = (own: string) =>
      withFiles('<p>Hello</p>', [{ name: own, content: `${name} ${own}` }, logo]);
    await importMail(workspace, ada, first, [
      eml({ id: `${name}-1@x`, subject: name, cc: 'grace@acme.example', ...files('first.txt') }),
    ]);
    await importMail(workspace, grace, second, [
      eml({
        ...{ id: `${name}-2@x`, subject: name, to: 'grace@acme.example', in_reply_to: `${name}-1@x` },
        date: 'Tue, 03 Nov 2026 10:00:00 +0000',
        ...files('second.txt'),
      }),
    ]);
    const [mine, other] = [await readMail(ada, first), await readMail(grace, second)];
    expect(mine.id).toBe(other.id);
    return {
      ...{ thread: mine.id, mailbox: first },
      first: mine.files['first.txt'] as Sent,
      second: other.files['second.txt'] as Sent,
      logos: [mine.files['logo.png'] as Sent, other.files['logo.png'] as Sent] as const,
    };
  }

  longIt('sees the message that has it: not the other half of the thread, nor another account', async () => {
    const { ada, grace, linus, hank } = workspace;
    const { first, second } = await givenHalves('halves');
    expect((await download(ada, first)).status).toBe(302);
    expect((await download(grace, second)).status).toBe(302);
    for (const [user, file] of [
      [ada, second],
      [grace, first],
      [linus, first],
      [hank, first],
    ] as const) {
      await expect(download(user, file)).rejects.toMatchObject(notFound);
      await expect(downloadAny(user, file)).rejects.toMatchObject(notFound);
    }
  });

  longIt('reads a file of both halves by the own attachment only, or without one', async () => {
    const { ada, linus } = workspace;
    const { logos } = await givenHalves('logos');
    expect(logos[0].file_id).toBe(logos[1].file_id);
    expect((await downloadAny(ada, logos[0])).status).toBe(302);
    await expect(download(ada, logos[1])).rejects.toMatchObject(notFound);
    await expect(downloadAny(linus, logos[0])).rejects.toMatchObject(notFound);
  });

  longIt('names an attachment that carries the file', async () => {
    const { first, logos } = await givenHalves('pairs');
    const mixed = { id: first.id, file_id: logos[0].file_id };
    await expect(download(workspace.ada, mixed)).rejects.toMatchObject(notFound);
  });

  longIt(
    'may have it by a share of the thread, for the half of who shares it, until the share ends',
    async () => {
      const { ada, linus } = workspace;
      const { thread, first, second } = await givenHalves('shared');
      const params = onThread(thread);
      const { share } = (await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } }))
        .body;
      expect((await download(linus, first)).status).toBe(302);
      expect((await downloadAny(linus, first)).status).toBe(302);
      await expect(download(linus, second)).rejects.toMatchObject(notFound);
      await ada.api.deleteShare({ params: { ...params, id: share.id } });
      await expect(download(linus, first)).rejects.toMatchObject(notFound);
    },
  );

  longIt('may have it by access to the mailbox, until that ends', async () => {
    const { linus } = workspace;
    const { mailbox, first } = await givenHalves('lent');
    await giveMailbox(workspace, linus, mailbox);
    expect((await download(linus, first)).status).toBe(302);
    await takeMailbox(workspace, linus, mailbox);
    await expect(download(linus, first)).rejects.toMatchObject(notFound);
  });

  longIt('has it in every mailbox that the message reached, also a later one', async () => {
    const { ada, grace } = workspace;
    const mail = eml({ id: 'both@x', ...withFiles('', [{ name: 'both.txt', content: 'both' }]) });
    const [first, second] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, grace)];
    await importMail(workspace, ada, first, [mail]);
    const file = (await readMail(ada, first)).files['both.txt'] as Sent;
    await expect(download(grace, file)).rejects.toMatchObject(notFound);
    await importMail(workspace, grace, second, [mail]);
    expect((await download(grace, file)).status).toBe(302);
  });

  longIt('keeps it when messages move to another thread', async () => {
    const { ada } = workspace;
    const mailbox = await givenMailbox(workspace, ada);
    const receive = async (number: number, parent?: string) => {
      const files = withFiles('', [{ name: `${number}.txt`, content: `${number}` }]);
      const date = `Mon, 0${9 - number} Nov 2026 10:00:00 +0000`;
      const draft = { id: `moves-${number}@x`, subject: 'Moves', date, ...files };
      const mail = eml(parent === undefined ? draft : { ...draft, in_reply_to: parent });
      await importMail(workspace, ada, mailbox, [mail]);
      return readMail(ada, mailbox);
    };
    const [last, first] = [await receive(3, 'moves-2@x'), await receive(1)];
    expect(first.id).not.toBe(last.id);
    const whole = await receive(2, 'moves-1@x');
    expect(Object.keys(whole.files).toSorted()).toEqual(['1.txt', '2.txt', '3.txt']);
    for (const file of [last.files['3.txt'], first.files['1.txt'], whole.files['2.txt']])
      expect((await download(ada, file as Sent)).status).toBe(302);
  });

  it('has an uploaded file, with the name with which it was uploaded', async () => {
    const { ada, linus } = workspace;
    const { id } = await uploadFile(
      ada,
      { name: 'Map' },
      { name: 'map.svg', type: 'image/svg+xml', bytes: '<svg/>' },
    );
    const { found, bytes } = await follow(await downloadAny(ada, { id: '', file_id: id }));
    expect([found.headers.get('content-type'), bytes.toString()]).toEqual([
      'application/octet-stream',
      '<svg/>',
    ]);
    expect(found.headers.get('content-disposition')).toBe('attachment; filename=map.svg');
    await expect(downloadAny(linus, { id: '', file_id: id })).rejects.toMatchObject(notFound);
    await expect(download(ada, { id: newId(new Date()), file_id: id })).rejects.toMatchObject(notFound);
    const url = (await fetch(
      (await downloadAny(ada, { id: '', file_id: id })).headers.get('location') as string,
      {
        headers: { Range: 'bytes=1-3' },
      },
    )) as Response;
    expect([url.status, await url.text(), url.headers.get('content-range')]).toEqual([
      206,
      'svg',
      'bytes 1-3/6',
    ]);
  });
});

describe('what a stranger sends', () => {
  longIt('is served as an image that runs nothing, or as bytes, and always to be saved', async () => {
    const bytes = 'application/octet-stream';
    const types = Object.entries({
      'image/png': 'image/png',
      'IMAGE/JPEG': 'image/jpeg',
      'image/svg+xml': bytes,
      'text/html': bytes,
      'application/xhtml+xml': bytes,
      'text/javascript': bytes,
      'application/pdf': bytes,
      'image/png\tx-evil': bytes,
    });
    const files = types.map(([type], i) => ({ name: `${i}`, type, content: `<script>alert(${i})</script>` }));
    const mail = await givenFiles(workspace.ada, '', files);
    for (const [i, [type, served]] of types.entries()) {
      const { found } = await follow(await download(workspace.ada, mail.files[`${i}`] as Sent));
      expect([type, found.headers.get('content-type')]).toEqual([type, served]);
      expect(found.headers.get('content-disposition')).toMatch(/^attachment; /);
    }
  });

  it('does not change the type of the same file in another mail', async () => {
    const file = { name: 'same.png', content: 'same bytes' };
    const mine = await givenFiles(workspace.ada, '', [{ ...file, type: 'image/png' }]);
    await givenFiles(workspace.grace, '', [{ ...file, type: 'text/html' }]);
    const { found } = await follow(await download(workspace.ada, mine.files['same.png'] as Sent));
    expect(found.headers.get('content-type')).toBe('image/png');
  });

  longIt('is saved under its name, which adds no header and no folder', async () => {
    const names = [
      'plain.txt',
      'two words; and=more.txt',
      'a"b\\c.txt',
      'x"; filename=evil.exe; y="',
      'line\r\nSet-Cookie: a=b\r\n\r\n<script>.html',
      'Übersicht – 日本語.pdf',
      'percent%41%0d%0a.txt',
      "quote'and*star.txt",
      `${'👩‍🚀'.repeat(60)}.txt`,
      '\u202egnp.exe',
      '../../etc/passwd',
      '語'.repeat(400),
    ];
    const given = names.map((name, i) => ({ name, content: `content ${i}` }));
    const { files } = await givenFiles(workspace.ada, '', given);
    expect(Object.keys(files)).toHaveLength(names.length);
    for (const [i, [shown, file]] of Object.entries(files).entries()) {
      const response = await download(workspace.ada, file);
      // API Gateway has 10,240 bytes for all headers, of which the session token of a role may need two thousand:
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
      expect((response.headers.get('location') as string).length).toBeLessThan(7_000);
      const { found, bytes } = await follow(response);
      expect(bytes.toString()).toBe(`content ${i}`);
      const disposition = found.headers.get('content-disposition') as string;
      expect(disposition).toMatch(/^[\x20-\x7e]+$/);
      expect(parse(disposition)).toMatchObject({ type: 'attachment', parameters: { filename: shown } });
      expect(shown).not.toMatch(/[\r\n/\u202e]/);
      expect(found.headers.has('set-cookie')).toBe(false);
    }
  });
});

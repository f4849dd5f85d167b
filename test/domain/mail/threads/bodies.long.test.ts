import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import { firstBodyItems, newestBodies } from '#shared/domain/mail/threads/bodies.ts';
import { newestMessages } from '#shared/domain/mail/threads/newest.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { givenMessages, htmlBody } from '../../../support/large-threads.ts';
import { type GivenThread, givenThread } from '../../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** The bytes that long threads decompress. */

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace?.stop());

const MB = 1024 * 1024;

async function read(given: GivenThread, most?: { messages: number; bytes: number }) {
  const { table, account_id, ada } = workspace;
  const thread = (await table.get<Thread>(keys.record('threads', given.id))) as Thread;
  const [user] = await findUsers(table, account_id, [ada.user.id]);
  if (!user) throw new Error('The user is gone');
  const shown = await newestMessages(table, user, thread, most);
  const sources = {
    table,
    thread,
    first: await firstBodyItems(table, given.id),
    bucket: () => {
      throw new Error('All bodies are in the table');
    },
  };
  let unpacked = 0;
  const bodies = await newestBodies(
    sources,
    shown.map(({ message }) => message),
    { images: 'direct' },
    (packed) => {
      const bytes = gunzipSync(packed);
      unpacked += bytes.length;
      return bytes;
    },
  );
  return { shown, bodies, unpacked };
}

test('decompresses as many of 700 messages of 200 kB and more as fit in a response', async () => {
  const thread = await givenThread(workspace, { users: [workspace.ada] });
  const body = htmlBody('words &amp; more words, '.repeat(9_000));
  const ids = await givenMessages(workspace, thread, 700, () => ({ body }));
  const one = Buffer.byteLength(JSON.stringify(body));
  const { shown, bodies, unpacked } = await read(thread);
  expect(shown.map(({ record }) => record.id)).toEqual(ids.toReversed());
  expect(unpacked).toBeGreaterThan(16 * MB - one);
  expect(unpacked).toBeLessThan(16 * MB + one);

  const full = ids.filter((id) => bodies.get(id)?.truncated === false);
  expect(full).toEqual(ids.slice(-Math.floor((16 * MB) / one)));
  const [next, cut] = ids
    .slice(0, -full.length)
    .slice(-2)
    .map((id) => bodies.get(id));
  expect(cut).toMatchObject({
    truncated: true,
    new_html: expect.stringMatching(/^<p>words &amp; .*<\/p>$/s),
  });
  // The message is listed, with the beginning that its own item has.
  expect(next).toMatchObject({
    truncated: true,
    new_plain_text: `Message ${698 - full.length}`,
    new_html: null,
  });
  expect(bodies.size).toBe(700);
  const bytes = [...bodies.values()].reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0);
  expect(bytes).toBeLessThan(16 * MB + 700 * 300);
});

test('truncates a body that is too large for the response, and decompresses no other', async () => {
  const thread = await givenThread(workspace, { users: [workspace.ada] });
  const body = htmlBody('\\'.repeat(4 * MB));
  const ids = await givenMessages(workspace, thread, 3, () => ({ body }));
  const { bodies, unpacked } = await read(thread);
  expect(unpacked).toBe(JSON.stringify(body).length);
  expect(ids.map((id) => bodies.get(id)?.truncated)).toEqual([true, true, true]);
  expect(bodies.get(ids[2] as string)).toMatchObject({ source_format: 'html' });
  expect(ids.slice(0, 2).map((id) => bodies.get(id)?.new_plain_text)).toEqual(['Message 0', 'Message 1']);
});

test('returns the newest of many messages, and finds bodies beyond the first page of the table', async () => {
  const thread = await givenThread(workspace, { users: [workspace.ada] });
  const ids = await givenMessages(workspace, thread, 1_100, (i) => ({ body: htmlBody(`Mail ${i}`) }));
  const { shown, bodies } = await read(thread, { messages: 1_050, bytes: 20 * MB });
  expect(shown.map(({ record }) => record.id)).toEqual(ids.slice(50).reverse());
  expect(ids.map((id) => bodies.get(id)?.new_plain_text)).toEqual(
    ids.map((_, i) => (i < 50 ? undefined : `Mail ${i}`)),
  );
});

test('returns as many mails with very many recipients as fit, and at least one', async () => {
  const thread = await givenThread(workspace, { users: [workspace.ada] });
  const to = Array.from({ length: 300 }, (_, i) => ({
    email_address: `name-${i}@ferries.example`,
    name: null,
  }));
  const ids = await givenMessages(workspace, thread, 20, () => ({ to, snippet: 'Hello' }));
  const bytes = Buffer.byteLength(JSON.stringify((await read(thread)).shown[0]?.record));
  for (const [room, wanted] of [
    [10 * bytes, 10],
    [11 * bytes - 1, 10],
    [1, 1],
  ] as const)
    expect((await read(thread, { messages: 100, bytes: room })).shown.map(({ record }) => record.id)).toEqual(
      ids.slice(-wanted).reverse(),
    );
});

test.each([
  ['inside a tag', '<p>a</p><p class="', 'x" style="color: red">', '<p>a</p>'],
  ['inside a reference', '<p>a &am', 'p; b', '<p>a </p>'],
  ['in the middle of a text', '<div><p>some <b>te', 'xt</b></p></div>', '<div><p>some <b>te</b></p></div>'],
  ['between the halves of a character', '<p>a\ud83d', '\ude00</p>', '<p>a</p>'],
])('HTML that is cut is well-formed: %s', async (_, before, after, wanted) => {
  const thread = await givenThread(workspace, { users: [workspace.ada] });
  // Each field may have a fifteenth of the room in bytes as characters.
  const characters = Math.floor((16 * MB) / 15);
  const filling = '.'.repeat(characters - before.length);
  const sanitized_html = filling + before + after + 'x'.repeat(16 * MB);
  const body = { ...htmlBody(''), sanitized_html };
  const [id] = await givenMessages(workspace, thread, 1, () => ({ body }));
  const { bodies } = await read(thread);
  expect(bodies.get(id as string)?.sanitized_html?.slice(filling.length)).toBe(wanted);
});

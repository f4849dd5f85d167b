import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { handler as removeFiles } from '../../../functions/queues/remove-files.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { crashAfter, failCall } from '../../support/faults.ts';
import { givenUpload, uploadFile } from '../../support/files.ts';
import { deliverMessages, openJobs } from '../../support/jobs.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('pictures of users', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace?.stop());

  const picture = (user = ada, type = 'image/png', bytes = PIXEL) =>
    givenUpload(user, { name: 'ada.png', type, bytes: bytes as never });
  const change = (user: TestUser, avatar_upload_id: string | null, id = user.user.id) =>
    user.api.updateUser({ params: { id }, body: { user: { avatar_upload_id } } });
  const shown = async (reader: TestUser, { user }: TestUser = ada) =>
    (await reader.reader.retrieveUser({ params: { id: user.id } })).body.user.avatar_url;
  const load = (url: string | null) => fetch(url as string, { redirect: 'manual' });
  const idOf = (url: string | null) => url?.split('/').at(-1) ?? '';
  const bytesOf = (id: string) => bucketOf(workspace.ctx).size(objectKeys.avatar(workspace.account_id, id));

  const download = (id: string, avatar_id: string) =>
    workspace.client().downloadAvatar({ params: { id, avatar_id } });

  /** What the sweep sends. */
  async function removeAll(): Promise<void> {
    const jobs = await openJobs(workspace.table, 'remove-files');
    const messages = jobs.map(({ id, body }) => ({ job_id: id, ...body }));
    expect(await deliverMessages(removeFiles, messages)).toEqual({ failed: [] });
  }

  it('an upload becomes the picture, which everybody in the account is shown, and whoever has the address loads', async () => {
    const { status, body } = await change(ada, (await picture()).id);
    const { avatar_url } = body.user;
    expect([status, avatar_url]).toEqual([
      200,
      expect.stringContaining(`${workspace.url}/accounts/${workspace.account_id}/avatars/`),
    ]);
    expect(await shown(linus)).toBe(avatar_url);
    const group = { name: 'Pictured', user_ids: [ada.user.id] };
    expect((await linus.api.createGroup({ body: { group } })).body.group.users[0]?.avatar_url).toBe(
      avatar_url,
    );
    const found = await load(avatar_url);
    expect([found.status, found.headers.get('cache-control')]).toEqual([302, 'private, max-age=240']);
    const bytes = await fetch(found.headers.get('location') as string);
    expect([bytes.headers.get('content-type'), Buffer.from(await bytes.arrayBuffer())]).toEqual([
      'image/png',
      PIXEL,
    ]);
  });

  it('a next one, and null, end the address, and the bytes', async () => {
    const first = (await change(ada, (await picture()).id)).body.user.avatar_url;
    const second = (await change(ada, (await picture(ada, 'image/webp')).id)).body.user.avatar_url;
    expect(second).not.toBe(first);
    await removeAll();
    expect((await load(first)).status).toBe(404);
    expect((await load(second)).status).toBe(302);
    expect((await change(ada, null)).body.user.avatar_url).toBeNull();
    expect((await change(ada, null)).body.user.avatar_url).toBeNull();
    await removeAll();
    expect([(await load(second)).status, await bytesOf(idOf(second))]).toEqual([404, undefined]);
  });

  it('a change of something else keeps the picture', async () => {
    const { avatar_url } = (await change(ada, (await picture()).id)).body.user;
    const params = { id: ada.user.id };
    const renamed = await ada.api.updateUser({ params, body: { user: { week_starts_on: 'sunday' } } });
    await removeAll();
    expect([renamed.body.user.avatar_url, (await load(avatar_url)).status]).toEqual([avatar_url, 302]);
  });

  it('an id of anything else in the bucket is no picture', async () => {
    const file = await uploadFile(ada, { visibility: 'private' });
    const { id } = await picture();
    for (const avatar_id of [file.id, id, `${ada.user.id}`, randomUUID()])
      expect(await codeOf(download(workspace.account_id, avatar_id))).toBe('404 record_not_found');
  });

  it('404 under another account, and in a closed one', async () => {
    const { avatar_url } = (await change(ada, (await picture()).id)).body.user;
    const { account_id } = workspace.hank.user;
    expect(await codeOf(download(account_id, idOf(avatar_url)))).toBe('404 record_not_found');
    const key = keys.account(workspace.account_id);
    await workspace.table.update<Account>(key, { set: { status: 'closed' } });
    expect((await load(avatar_url)).status).toBe(404);
    await workspace.table.update<Account>(key, { set: { status: 'active' } });
    expect((await load(avatar_url)).status).toBe(302);
  });

  it.each([
    ['text/html', '<script>alert(1)</script>'],
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['image/png; x=text/html', 'x'],
    ['application/pdf', 'x'],
  ])('400: an upload of %s', async (type, bytes) => {
    const { id } = await picture(ada, type, Buffer.from(bytes));
    expect(await problemsOf(change(ada, id))).toEqual({ avatar_upload_id: 'invalid' });
  });

  it('413 above one MB; 422 without bytes; 409 when it was used; 404 of somebody else', async () => {
    const before = await shown(ada);
    const large = await picture(ada, 'image/png', Buffer.alloc(1024 * 1024 + 1));
    expect(await codeOf(change(ada, large.id))).toBe('413 file_too_large');
    const upload = { file_name: 'a.png', content_type: 'image/png', size: PIXEL.length };
    const empty = (await ada.api.createUpload({ body: { upload } })).body.upload;
    expect(await codeOf(change(ada, empty.id))).toBe('422 upload_incomplete');
    expect(await codeOf(change(ada, (await picture(linus)).id))).toBe('404 record_not_found');
    expect(await codeOf(change(ada, randomUUID()))).toBe('404 record_not_found');
    const file = await picture();
    await ada.api.createFile({ body: { file: { upload_id: file.id } } });
    expect(await codeOf(change(ada, file.id))).toBe('409 upload_already_used');
    expect(await shown(ada)).toBe(before);
  });

  it('403 for the picture of somebody else, by an admin too', async () => {
    const { id } = await picture(linus);
    expect(await codeOf(change(linus, id, ada.user.id))).toBe('403 permission_denied');
    expect((await change(linus, id)).status).toBe(200);
  });

  it('of ten requests with one upload, one has its picture, and no bytes stay of the others', async () => {
    const { id } = await picture();
    const tried = await Promise.allSettled(Array.from({ length: 10 }, () => change(ada, id)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const jobs = await openJobs(workspace.table, 'remove-files');
    await removeAll();
    const left = await Promise.all(jobs.map(({ body }) => bytesOf(String(body.avatar_id))));
    expect(left.every((size) => size === undefined)).toBe(true);
    expect(await bytesOf(idOf(await shown(ada)))).toBe(PIXEL.length);
  });

  longIt('whichever call fails, the user has the one picture or the other, with its bytes', async () => {
    for (const call of [1, 2, 3, 4, 5, 6])
      for (const fault of [
        () => failCall(workspace.table, call, 'before'),
        () => failCall(workspace.table, call, 'after'),
        () => crashAfter(workspace.table, call),
      ]) {
        const { id } = await picture();
        const injected = fault();
        await change(ada, id).catch(() => undefined);
        injected.remove();
        await removeAll();
        const stored = await workspace.table.get<User>(keys.user(ada.user.account_id, ada.user.id));
        expect(await bytesOf(stored?.avatar_id ?? '')).toBe(PIXEL.length);
        expect((await load(await shown(ada))).status).toBe(302);
      }
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { longIt } from '../../support/long.ts';
import { bearer, errorText, fieldCodes, type RawResponse, raw } from '../../support/raw.ts';
import { createRecords } from '../../support/records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Bad input for both operations that accept the filters of threads. */

const id = randomUUID();
const paths = ['/threads', '/threads/count'];

/** A valid value of each parameter, and the code for an invalid one. */
const parameters: Record<string, { good: string; junk: string }> = {
  slice: { good: 'unread', junk: 'invalid' },
  scope: { good: 'personal', junk: 'invalid' },
  mailbox_id: { good: id, junk: 'invalid_format' },
  contact_id: { good: id, junk: 'invalid_format' },
  organization_id: { good: id, junk: 'invalid_format' },
  space_id: { good: id, junk: 'invalid_format' },
  query: { good: 'winch', junk: 'too_long' },
  subject: { good: 'winch', junk: 'too_long' },
  participant: { good: 'priya@ferries.example', junk: 'too_long' },
  category: { good: 'forum', junk: 'invalid' },
  unread: { good: 'true', junk: 'invalid' },
  flagged: { good: 'true', junk: 'invalid' },
  unresolved: { good: 'false', junk: 'invalid' },
  has_attachment: { good: 'true', junk: 'invalid' },
  first_sent_before: { good: '2026-11-20', junk: 'invalid_format' },
  last_sent_after: { good: '2026-11-20T10:00:00Z', junk: 'invalid_format' },
  tags: { good: id, junk: 'invalid_format' },
  tag_operator: { good: 'all', junk: 'invalid' },
};
const names = Object.keys(parameters);
/** Text parameters, for which another case is another value. */
const texts = ['query', 'subject', 'participant'];
/** Parameters for which upper case is the same value. */
const anyCase = [
  'mailbox_id',
  'contact_id',
  'organization_id',
  'space_id',
  'tags',
  'first_sent_before',
  'last_sent_after',
];

describe('bad input of GET /threads and GET /threads/count', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const get = (path: string, search: string, user: TestUser = workspace.ada): Promise<RawResponse> =>
    raw(workspace.url, { path: `${path}?${search}`, headers: [bearer(user.read_key)] });

  /** Both operations return 400 with these fields. */
  async function refused(search: string, fields: Record<string, string>): Promise<void> {
    for (const path of paths) {
      const response = await get(path, search);
      expect(
        [response.status, response.json.error?.code, fieldCodes(response)],
        `${path}?${search}`.slice(0, 99),
      ).toEqual([400, 'invalid_request', fields]);
    }
  }
  async function statuses(search: string): Promise<number[]> {
    return Promise.all(paths.map(async (path) => (await get(path, search)).status));
  }

  describe.each(names)('%s', (name) => {
    const { good, junk } = parameters[name] as (typeof parameters)[string];

    it('400 when it is sent twice or empty', async () => {
      await refused(`${name}=${good}&${name}=${good}`, { [name]: 'invalid' });
      await refused(`${name}=`, { [name]: 'invalid' });
      await refused(name, { [name]: 'invalid' });
    });

    it('400 for NUL, alone and within', async () => {
      const code = texts.includes(name) ? 'invalid_format' : junk;
      await refused(`${name}=%00`, { [name]: code });
      await refused(`${name}=${good}%00`, { [name]: code });
    });

    it('400 for 10,000 characters', async () => {
      await refused(`${name}=${'x'.repeat(10_000)}`, { [name]: junk });
    });

    it('is matched by its exact name; another case is an unknown parameter, which is ignored', async () => {
      expect(await statuses(`${name.toUpperCase()}=%00`)).toEqual([200, 200]);
    });

    if (!texts.includes(name) && !anyCase.includes(name))
      it('400 for its values in upper case', async () => {
        await refused(`${name}=${good.toUpperCase()}`, { [name]: 'invalid' });
      });
  });

  it('refuses white space alone', async () => {
    for (const name of texts) await refused(`${name}=%20%09`, { [name]: 'required' });
  });

  it('query and subject have at most 500 characters', async () => {
    for (const name of ['query', 'subject']) {
      expect(await statuses(`${name}=${'x'.repeat(500)}`)).toEqual([200, 200]);
      await refused(`${name}=${'x'.repeat(501)}`, { [name]: 'too_long' });
      await refused(`${name}=${encodeURIComponent('🛥'.repeat(501))}`, { [name]: 'too_long' });
    }
  });

  it.each([
    ['slice', 'pinned_contacts'],
    ['slice', 'inbox,unread'],
    ['slice', '__proto__'],
    ['scope', 'group'],
    ['category', 'social'],
    ['category', 'promotions'],
    ['tag_operator', 'none'],
    ['unread', '1'],
    ['flagged', 'yes'],
  ])('400 for an unknown %s: %s', async (name, value) => {
    await refused(`${name}=${value}`, { [name]: 'invalid' });
  });

  it.each(['not-a-uuid', `${id}0`, id.slice(1), `{${id}}`, id.replaceAll('-', ''), `${id},${randomUUID()}`])(
    '400 for the id %s',
    async (value) => {
      for (const name of ['mailbox_id', 'contact_id', 'organization_id', 'space_id'])
        await refused(`${name}=${value}`, { [name]: 'invalid_format' });
    },
  );

  it.each([
    '2026-02-30',
    '2026-02-29T10:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-11-20T10:00:00',
    '2026-11-20T10:00',
    '2026-11-20T25:00:00Z',
    '2026-11-20T10:60:00Z',
    '2026-11-20 10:00:00Z',
    '20261120T100000Z',
    '2026-W47-5',
    '2026-324',
    '26-11-20',
    '10000-01-01',
    '-000001-01-01T00:00:00Z',
    '0000-01-01',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    'yesterday',
    'soon',
    '1795168800000',
    'Fri, 20 Nov 2026 10:00:00 GMT',
  ])('400 for the date %s', async (date) => {
    for (const name of ['first_sent_before', 'last_sent_after'])
      await refused(`${name}=${encodeURIComponent(date)}`, { [name]: 'invalid_format' });
  });

  it.each(['0001-01-02', '0001-01-01T00:00:00Z', '9999-12-31', '9999-12-31T23:59:59Z', '2024-02-29'])(
    'takes the date %s',
    async (date) => {
      expect(await statuses(`first_sent_before=${date}&last_sent_after=${date}`)).toEqual([200, 200]);
    },
  );

  it('names all bad fields at once', async () => {
    const search = 'slice=x&mailbox_id=x&unread=x&tags=x&first_sent_before=x&query=&category=forum';
    await refused(search, {
      slice: 'invalid',
      mailbox_id: 'invalid_format',
      unread: 'invalid',
      tags: 'invalid_format',
      first_sent_before: 'invalid_format',
      query: 'invalid',
    });
  });

  it('a malformed field is reported before an unknown record', async () => {
    await refused(`contact_id=${id}&unread=x`, { unread: 'invalid' });
  });

  longIt(
    '404 for records of another account and hidden ones, with the same bytes as for a random id',
    async () => {
      const foreign = await createRecords(workspace, workspace.hank);
      const hidden = await createRecords(workspace, workspace.grace);
      const contact = { name: 'Private', visibility: 'private' as const };
      const own = (await workspace.grace.api.createContact({ body: { contact } })).body.contact.id;
      const tries: [string, string | undefined][] = [
        ['mailbox_id', foreign.mailboxes],
        ['mailbox_id', hidden.mailboxes],
        ['contact_id', foreign.contacts],
        ['contact_id', own],
        ['tags', foreign.tags],
        ...['contact_id', 'organization_id', 'space_id'].map((name): [string, string] => [
          name,
          workspace.ada.user.id,
        ]),
      ];
      for (const [name, value] of tries)
        for (const path of paths) {
          const response = await get(path, `${name}=${value}`, workspace.linus);
          const random = await get(path, `${name}=${randomUUID()}`, workspace.linus);
          expect([response.status, errorText(response)], name).toEqual([404, errorText(random)]);
          expect(random.json.error?.code).toBe('record_not_found');
        }
    },
  );

  longIt('404 for a mailbox as soon as it is no longer the user’s', async () => {
    const { mailboxes } = await createRecords(workspace, workspace.ada);
    expect(await statuses(`mailbox_id=${mailboxes}`)).toEqual([200, 200]);
    await workspace.table.update<User>(keys.user(workspace.account_id, workspace.ada.user.id), {
      remove: [['mailboxes', mailboxes as string]],
    });
    expect(await statuses(`mailbox_id=${mailboxes}`)).toEqual([404, 404]);
  });
});

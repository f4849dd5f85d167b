import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GroupAccess } from '#shared/domain/identity/users/access.ts';
import {
  type GivenAccess,
  grantGroupMailbox,
  revokeGroupMailbox,
  withGroupAccess,
} from '#shared/domain/identity/users/access.ts';
import { findUsers, listUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { mentioning } from '../../../support/documents.ts';
import { codeOf } from '../../../support/failures.ts';
import { givenGroup } from '../../../support/groups.ts';
import { longIt } from '../../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { type GivenThread, givenThread, hideThread } from '../../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** The users of a group have its access from the next request on, and lose it with the next request. */
describe('access through groups', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let mailbox_id: string;
  let group_id: string;
  /** In Ada's mailbox. Grace has an entry of it, as after the arrival of mail, and no access of her own. */
  let thread: GivenThread;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    thread = await givenThread(workspace, { users: [ada, grace] });
    await hideThread(workspace, thread, grace);
    mailbox_id = thread.mailbox_id;
    group_id = (await givenGroup(ada, [grace])).id;
  });

  const grant = (access: GivenAccess = 'view', mailbox = mailbox_id, group = group_id) =>
    workspace.table.transact([grantGroupMailbox(workspace.account_id, group, mailbox, access)]);
  const revoke = (mailbox = mailbox_id, group = group_id) =>
    workspace.table.transact([revokeGroupMailbox(workspace.account_id, group, mailbox)]);
  const membership = () => ({ group_id, user_id: grace.user.id });
  /** Retrieved and in the list, which have to agree. */
  const sees = async (user: TestUser) => {
    const read = user.reader.retrieveThread({ params: { id: thread.id } });
    const alone = await read.then(
      () => true,
      (error) => error.status !== 404,
    );
    const { records } = (await user.reader.listThreads()).body.collection;
    expect(records.some(({ id }) => id === thread.id)).toBe(alone);
    return alone;
  };

  it('a member sees a thread of a mailbox given to the group on the very next request', async () => {
    expect(await sees(grace)).toBe(false);
    await grant();
    expect(await sees(grace)).toBe(true);
    expect(await sees(linus)).toBe(false);
    const { status } = await grace.api.flagThread({ params: { thread_id: thread.id } });
    expect(status).toBe(200);
  });

  it('a mailbox that is taken from the group is hidden on the very next request', async () => {
    await grant();
    await revoke();
    expect(await sees(grace)).toBe(false);
    expect(await codeOf(grace.api.flagThread({ params: { thread_id: thread.id } }))).toBe(
      '404 record_not_found',
    );
  });

  it('leaving the group takes the access at once, and joining gives it', async () => {
    await grant();
    await grace.api.deleteMembership({ params: membership() });
    expect(await sees(grace)).toBe(false);
    await ada.api.createMembership({ params: { group_id }, body: { user_id: grace.user.id } });
    expect(await sees(grace)).toBe(true);
    await ada.api.updateGroup({ params: { id: group_id }, body: { group: { user_ids: [] } } });
    expect(await sees(grace)).toBe(false);
  });

  it('deleting the group takes the access at once', async () => {
    await grant();
    await ada.api.deleteGroup({ params: { id: group_id } });
    expect(await sees(grace)).toBe(false);
    const stored = await workspace.table.get(keys.groupAccess(workspace.account_id));
    expect(stored).not.toHaveProperty(group_id);
  });

  it('the access stays while another group gives it too', async () => {
    const second = await givenGroup(ada, [grace]);
    await grant('view');
    await grant('view', mailbox_id, second.id);
    await grace.api.deleteMembership({ params: membership() });
    expect(await sees(grace)).toBe(true);
    await ada.api.deleteGroup({ params: { id: second.id } });
    expect(await sees(grace)).toBe(false);
  });

  it('the mailbox is in the list of mailboxes with the access that is given', async () => {
    const box = await givenMailbox(workspace, ada);
    await grant('view', box);
    const access = async () =>
      (await grace.reader.listMailboxes()).body.collection.records
        .filter(({ id }) => id === box)
        .map(({ id, access, primary }) => ({ id, access, primary }));
    expect(await access()).toEqual([{ id: box, access: 'view', primary: false }]);
    await grant('edit', box);
    expect(await access()).toEqual([{ id: box, access: 'edit', primary: false }]);
    await revoke(box);
    expect(await access()).toEqual([]);
  });

  it('edit access lets the user send mail, and the user’s record says so', async () => {
    const may = async () => (await grace.reader.retrieveCurrentUser()).body.user.capabilities?.send_email;
    await grant('view');
    expect(await may()).toBe(false);
    await grant('edit');
    expect(await may()).toBe(true);
  });

  it('the strongest of several ways to one mailbox counts', async () => {
    const user = (mailboxes: User['mailboxes'], ...groups: string[]) =>
      ({ ...grace.user, mailboxes, group_ids: new Set(groups) }) as User;
    const access = {
      ...keys.groupAccess('a'),
      group_count: 2,
      g1: { m1: 'view', m2: 'edit' },
      g2: { m1: 'edit', m3: 'view' },
    };
    const effective = (given: User) => withGroupAccess(given, access).mailboxes;
    expect(effective(user({ m1: 'owner', m2: 'view' }, 'g1', 'g2'))).toEqual({
      m1: 'owner',
      m2: 'edit',
      m3: 'view',
    });
    expect(effective(user({}, 'g1'))).toEqual({ m1: 'view', m2: 'edit' });
    expect(effective(user({ m4: 'edit' }, 'g3'))).toEqual({ m4: 'edit' });
    const { group_ids: _, ...alone } = user({ m1: 'view' });
    expect(effective(alone as User)).toEqual({ m1: 'view' });
    expect(withGroupAccess(user({ m1: 'view' }, 'g1'), undefined).mailboxes).toEqual({ m1: 'view' });
  });

  it('the stored user keeps only direct access: nothing is written back', async () => {
    await grant('edit');
    const own = await givenMailbox(workspace, grace);
    await grace.api.flagThread({ params: { thread_id: thread.id } });
    const other = await givenGroup(ada, [grace]);
    await grace.api.deleteMembership({ params: { group_id: other.id, user_id: grace.user.id } });
    const stored = await workspace.table.get<User>(keys.user(workspace.account_id, grace.user.id));
    expect(stored?.mailboxes).toHaveProperty(own);
    expect(stored?.mailboxes).not.toHaveProperty(mailbox_id);
  });

  it('users who are loaded for others have it too', async () => {
    await grant();
    const { table, account_id } = workspace;
    const ids = [grace.user.id, linus.user.id];
    for (const users of [await listUsers(table, account_id), await findUsers(table, account_id, ids)]) {
      const having = users.filter(({ mailboxes }) => mailboxes[mailbox_id] === 'view');
      expect(having.map(({ id }) => id)).toEqual([grace.user.id]);
      expect(users.every(({ SK }) => SK.startsWith('USER#'))).toBe(true);
    }
    expect(await findUsers(table, account_id, [])).toEqual([]);
  });

  it('a member is told of a mention on a thread of the group’s mailbox, nobody else is', async () => {
    await grant();
    const told = async (user: TestUser) =>
      (await user.reader.listNotifications()).body.collection.records.filter(
        ({ event, payload }) => event === 'comment_mentioned' && payload?.id === thread.id,
      ).length;
    const mention = () =>
      ada.api.createComment({
        params: { record_type: 'threads', record_id: thread.id },
        body: {
          comment: { html_content: '<p>See?</p>', json_content: mentioning(grace.user.id, linus.user.id) },
        },
      });
    await mention();
    expect([await told(grace), await told(linus)]).toEqual([1, 0]);
    await revoke();
    await mention();
    expect([await told(grace), await told(linus)]).toEqual([1, 0]);
  });

  it('mail that arrives reaches the members of the group', async () => {
    const box = await givenMailbox(workspace, ada);
    await grant('view', box);
    const id = `${group_id}@x`;
    await importMail(workspace, ada, box, [eml({ id, subject: `For ${group_id}` })]);
    const subjects = async (user: TestUser) =>
      (await user.reader.listThreads()).body.collection.records.map(({ subject }) => subject);
    expect(await subjects(grace)).toContain(`For ${group_id}`);
    expect(await subjects(linus)).not.toContain(`For ${group_id}`);
  });

  it('a deleted group cannot be given access, nor lose any', async () => {
    await ada.api.deleteGroup({ params: { id: group_id } });
    await expect(grant()).rejects.toThrow(ConditionFailed);
    await expect(revoke()).rejects.toThrow(ConditionFailed);
    const write = grantGroupMailbox('an account without groups', group_id, mailbox_id, 'view');
    await expect(workspace.table.transact([write])).rejects.toThrow(ConditionFailed);
  });

  it('access that the group never had can be removed', async () => {
    await revoke();
    expect(await sees(grace)).toBe(false);
  });

  it('no concurrent grant is lost', async () => {
    const ids = Array.from({ length: 10 }, (_, i) => `mailbox-${i}`);
    await Promise.all(ids.map((id) => grant('view', id)));
    const stored = await workspace.table.get<GroupAccess>(keys.groupAccess(workspace.account_id));
    expect(Object.keys(stored?.[group_id as keyof GroupAccess] ?? {}).sort()).toEqual(ids);
  });

  longIt('a grant against the deletion of its group: nothing is left of either', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await givenGroup(ada, [grace]);
      await Promise.allSettled([ada.api.deleteGroup({ params: { id } }), grant('view', mailbox_id, id)]);
      const stored = await workspace.table.get(keys.groupAccess(workspace.account_id));
      expect(stored).not.toHaveProperty(id);
      expect(await sees(grace)).toBe(false);
    }
  });

  it('groups of another account give nothing', async () => {
    await grant();
    expect(await codeOf(workspace.hank.reader.retrieveThread({ params: { id: thread.id } }))).toBe(
      '404 record_not_found',
    );
  });

  it('users are loaded by their store and by authentication, and nowhere else', () => {
    const root = join(import.meta.dirname, '..', '..', '..', '..');
    const loading = globSync('{functions,shared}/**/*.ts', { cwd: root }).filter((file) =>
      /(?<!update)<User>\(|\bas User\b|'USER#'/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(loading.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([
      // Loads none: a condition of a transaction.
      'shared/domain/identity/accounts/policy.ts',
      'shared/domain/identity/credentials/authenticate.ts',
      // Whether the user is active, and no access.
      'shared/domain/identity/sockets/allowed.ts',
      'shared/domain/identity/users/store.ts',
      // What changed of a stored user: who has access is asked of the store.
      'shared/domain/insight/live/endings.ts',
      'shared/domain/insight/live/mailboxes.ts',
      // Keys of the items that the stream tells of.
      'shared/queues/queues.ts',
    ]);
  });
});

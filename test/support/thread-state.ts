import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf } from './failures.ts';
import { eml, givenMailbox, importMail } from './mail.ts';
import { giveMailbox } from './mailbox-access.ts';
import { measureTable, splitCost } from './meter.ts';
import { type ApiClient, startWorkspace, type Workspace } from './workspace.ts';

type Change = (api: ApiClient, thread_id: string) => Promise<{ status: number; body: unknown }>;

const stateFields = ['flagged', 'read', 'resolved', 'snooze_until'] as const;

export interface StateChange {
  title: string;
  change: Change;
  /** Brings the thread into the state that the operation changes. */
  undo: Change;
  field: (typeof stateFields)[number];
  before: unknown;
  after: unknown;
  response: { status: number; body: unknown };
}

/** Every change that a user makes to the state of a thread (docs/specification/mail.md, "State of a user"). */
export function describeStateChange({
  title,
  change,
  undo,
  field,
  before,
  after,
  response,
}: StateChange): void {
  describe(title, () => {
    let workspace: Workspace;
    let mailbox: string;
    let thread_id: string;
    const stateOf = async (user: 'ada' | 'grace' = 'ada') => {
      const { thread } = (await workspace[user].reader.retrieveThread({ params: { id: thread_id } })).body;
      return Object.fromEntries(stateFields.map((name) => [name, thread[name]]));
    };
    const apply = (user: 'ada' | 'grace' | 'linus' | 'hank' = 'ada') =>
      change(workspace[user].api, thread_id);
    const costOf = async (work: () => Promise<unknown>) =>
      splitCost(await measureTable(workspace.table, work), 'write').operation;

    beforeAll(async () => {
      workspace = await startWorkspace({ files: true });
      mailbox = await givenMailbox(workspace, workspace.ada);
      await giveMailbox(workspace, workspace.grace, mailbox);
      await importMail(workspace, workspace.ada, mailbox, [eml({ id: 'one@x', subject: 'One' })]);
      thread_id = (await workspace.ada.reader.listThreads()).body.collection.records[0]?.id as string;
    });
    afterAll(() => workspace?.stop());

    it('changes the state of the key’s user, and nothing else', async () => {
      await undo(workspace.ada.api, thread_id);
      const [own, colleague] = [await stateOf(), await stateOf('grace')];
      expect(own[field]).toBe(before);
      expect(await apply()).toMatchObject(response);
      expect(await stateOf()).toEqual({ ...own, [field]: after });
      expect(await stateOf('grace')).toEqual(colleague);
    });

    it('a repeat is a no-op success: nothing is written', async () => {
      await apply();
      const key = keys.threadEntry(workspace.ada.user.id, thread_id);
      const entry = await workspace.table.get(key);
      const cost = await costOf(async () => expect(await apply()).toMatchObject(response));
      expect(cost.writes).toBe(0);
      expect(await workspace.table.get(key)).toEqual(entry);
    });

    it('takes two round trips after authentication, and one write request', async () => {
      await undo(workspace.ada.api, thread_id);
      const cost = await costOf(() => apply());
      expect(cost.depth).toBeLessThanOrEqual(2);
      expect(cost.calls.filter(({ writes }) => writes > 0)).toHaveLength(1);
    });

    it('takes the id in upper case', async () => {
      await undo(workspace.ada.api, thread_id);
      expect(await change(workspace.ada.api, thread_id.toUpperCase())).toMatchObject(response);
      expect((await stateOf())[field]).toBe(after);
    });

    it('is 404 on a thread the user does not see', async () => {
      for (const user of ['linus', 'hank'] as const)
        expect(await codeOf(apply(user))).toBe('404 record_not_found');
    });

    it('is 404 as soon as the user has no access to the mailbox', async () => {
      const key = { PK: workspace.ada.user.PK, SK: workspace.ada.user.SK };
      const set = (mailboxes: User['mailboxes']) => workspace.table.update<User>(key, { set: { mailboxes } });
      const { mailboxes } = (await workspace.table.get<User>(key)) as User;
      await undo(workspace.ada.api, thread_id);
      await set({});
      expect(await codeOf(apply())).toBe('404 record_not_found');
      await set(mailboxes);
      expect((await stateOf())[field]).toBe(before);
      expect(await apply()).toMatchObject(response);
    });

    it('works on a thread that was just opened to the user', async () => {
      await giveMailbox(workspace, workspace.linus, mailbox);
      expect(await apply('linus')).toMatchObject(response);
      const { body } = await workspace.linus.reader.retrieveThread({ params: { id: thread_id } });
      expect(body.thread[field]).toBe(after);
    });

    it('needs a read/write key', async () => {
      expect(await codeOf(change(workspace.ada.reader, thread_id))).toBe('403 api_key_insufficient');
    });
  });
}

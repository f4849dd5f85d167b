import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail } from './mail.ts';
import { type ApiClient, startWorkspace, type Workspace } from './workspace.ts';

type Change = (api: ApiClient, thread_id: string) => Promise<{ status: number; body: unknown }>;

export interface StateChange {
  title: string;
  change: Change;
  /** Brings the thread into the state that the operation changes. */
  undo: Change;
  field: 'flagged' | 'read';
  after: boolean;
  answer: { status: number; body: unknown };
}

/** What the specification says of every change that a user makes to the state of a thread. */
export function describeStateChange({ title, change, undo, field, after, answer }: StateChange): void {
  describe(title, () => {
    let workspace: Workspace;
    let thread_id: string;
    const state = async () =>
      (await workspace.ada.reader.retrieveThread({ params: { id: thread_id } })).body.thread[field];
    const apply = (user: 'ada' | 'grace' | 'hank') => change(workspace[user].api, thread_id);

    beforeAll(async () => {
      workspace = await startWorkspace({ mail: true });
      const mailbox = await givenMailbox(workspace, workspace.ada);
      await importMail(workspace, workspace.ada, mailbox, [eml({ id: 'one@x', subject: 'One' })]);
      thread_id = (await workspace.ada.reader.listThreads()).body.collection.records[0]?.id as string;
    });
    afterAll(() => workspace?.stop());

    it('changes the state, and a repeat changes nothing', async () => {
      await undo(workspace.ada.api, thread_id);
      expect(await state()).toBe(!after);
      for (let i = 0; i < 2; i++) {
        expect(await apply('ada')).toMatchObject(answer);
        expect(await state()).toBe(after);
      }
    });

    it('is 404 on a thread the user does not see', async () => {
      for (const user of ['grace', 'hank'] as const)
        await expect(apply(user)).rejects.toMatchObject({ status: 404, code: 'record_not_found' });
    });

    it('is 404 as soon as the mailbox is no longer the user’s', async () => {
      const key = { PK: workspace.ada.user.PK, SK: workspace.ada.user.SK };
      const set = (mailboxes: unknown) =>
        workspace.table.update(key, { update: 'SET mailboxes = :m', values: { ':m': mailboxes } });
      const mailboxes = (await workspace.table.get(key))?.mailboxes;
      await set({});
      await expect(apply('ada')).rejects.toMatchObject({ status: 404 });
      await set(mailboxes);
      expect(await apply('ada')).toMatchObject(answer);
    });

    it('needs a read/write key', async () => {
      const attempt = change(workspace.ada.reader, thread_id);
      await expect(attempt).rejects.toMatchObject({ status: 403, code: 'api_key_insufficient' });
    });
  });
}

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapAtOnce } from '#shared/at-once.ts';
import { planTask } from '#shared/domain/work/tasks/create.ts';
import { taskDraft } from '#shared/domain/work/tasks/task.ts';
import { callerOf } from '../../support/callers.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { storedNotifications } from '../../support/notifications.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenContact } from '../../support/proposals.ts';
import { putAtOnce } from '../../support/seeding.ts';
import { givenSpace, join, readSpace } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /spaces/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const on = (id: string) => ({ params: { record_type: 'spaces' as const, record_id: id } });
  const missing = (user: TestUser, id: string) => codeOf(user.reader.retrieveSpace({ params: { id } }));

  it('200: its members by name, its comments, its tasks, and what the user sees of its mail', async () => {
    const { id } = await givenSpace(ada);
    const address = `${randomUUID()}@yard.example`;
    const zoe = await givenContact(ada, { name: 'Zoë', email_addresses: [{ email_address: address }] });
    const own = await givenContact(ada, { name: 'abe', visibility: 'private' });
    const yard = await givenOrganization(ada);
    for (const contact of [zoe, own]) await join(ada, id, { contact_id: contact.id });
    await join(ada, id, { organization_id: yard.id });
    const mailbox = await givenMailbox(workspace, ada);
    await importMail(workspace, ada, mailbox, [eml({ id: randomUUID(), from: address, subject: 'Keel' })]);
    const { comment } = (
      await ada.api.createComment({ ...on(id), body: { comment: { html_content: 'Ahoy' } } })
    ).body;
    const given = async (draft: object) =>
      (await ada.api.createTask({ body: { task: { name: 'Sail', space_id: id, ...draft } } })).body.task;
    const task = await given({});
    const secret = await given({ visibility: 'private' });
    const done = await given({});
    await ada.api.completeTask({ params: { task_id: done.id } });

    const space = await readSpace(ada, id);
    expect(space).toMatchObject({
      contact_ids: [own.id, zoe.id],
      organization_ids: [yard.id],
      thread_count: 1,
      open_task_count: 2,
      comments: [{ id: comment.id, space_id: id }],
    });
    expect(space.tasks?.map((each) => each.id)).toEqual([task.id, secret.id, done.id]);
    // Who sees less of it is not told how much there is.
    const seen = await readSpace(linus, id);
    expect(seen).toMatchObject({ contact_ids: [zoe.id], thread_count: 0, open_task_count: 1 });
    expect(seen.tasks?.map((each) => each.id)).toEqual([task.id, done.id]);
  });

  longIt('200: counts its open tasks up to 1,000', async () => {
    const { id: space_id } = await givenSpace(ada);
    const { ctx, table } = workspace;
    const caller = await callerOf(table, ada.user);
    const draft = taskDraft.parse({ name: 'Sail', space_id });
    const plans = await mapAtOnce(Array(1_001).fill(draft), 20, (each) =>
      planTask({ ...ctx, now: ctx.now, caller }, each),
    );
    await putAtOnce(table, async (gathering) => {
      for (const plan of plans) {
        const { writes } = await plan.change();
        await gathering.transact(writes.filter((write) => 'put' in write));
      }
    });
    expect((await readSpace(ada, space_id)).open_task_count).toBe(1_000);
  });

  longIt('200: for whom it is shared with, who is told; 404 for others', async () => {
    const { id } = await givenSpace(ada, { name: 'Secret', visibility: 'private' });
    for (const user of [linus, workspace.hank]) expect(await missing(user, id)).toBe('404 record_not_found');
    expect(await missing(ada, randomUUID())).toBe('404 record_not_found');
    const { share } = (await ada.api.createShare({ ...on(id), body: { share: { user_id: linus.user.id } } }))
      .body;
    expect(await readSpace(linus, id)).toEqual({ ...(await readSpace(ada, id)), shares: [share] });
    expect((await storedNotifications(workspace, linus.user.id)).at(-1)).toMatchObject({
      event: 'space_shared',
      payload: { id, record_type: 'space', name: 'Secret' },
      prompting_user_id: ada.user.id,
    });
    await ada.api.deleteShare({ params: { ...on(id).params, id: share.id } });
    expect(await missing(linus, id)).toBe('404 record_not_found');
  });
});

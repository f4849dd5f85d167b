import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Activity } from '#shared/domain/collaboration/activity/activity.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { givenDealIn } from '../../support/deals.ts';
import { longIt } from '../../support/long.ts';
import { givenPipeline, givenTeam } from '../../support/pipelines.ts';
import { runMoves } from '../../support/replaced-stages.ts';
import { putAtOnce } from '../../support/seeding.ts';
import { pageOf, typesIn, walk } from '../../support/timeline.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /timeline: much of it', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;

  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  beforeEach(async () => {
    ({ owner, member } = await givenTeam(workspace));
  });
  afterAll(() => workspace?.stop());

  const contactOf = async (fields: object = {}) =>
    (await owner.api.createContact({ body: { contact: { name: 'Somebody', ...fields } } })).body.contact.id;

  /** Of the account, a hundred in a millisecond. */
  async function givenMany(record_id: string, first: number, count: number): Promise<void> {
    const { id: user_id, account_id } = owner.user;
    await putAtOnce(workspace.table, async (table) => {
      for (let i = 0; i < count; i++) {
        const moment = first + Math.floor(i / 100);
        const id = newId(new Date(moment));
        const activity: Activity = {
          ...keys.activityOf(account_id, moment, id),
          ...{ id, account_id, user_id, moment, type: 'record_updated', agent: null, detail: { fields: [] } },
          ...{ record_type: 'contacts', record_id },
        };
        await table.put(activity);
      }
    });
  }

  longIt('reads past what is hidden, a thousand at a time, and goes on', async () => {
    const first = await contactOf();
    const hidden = await contactOf({ visibility: 'private' });
    // Later than what was created.
    await givenMany(hidden, Date.now() + 3_600_000, 1_500);
    const page = await pageOf(member, { limit: 3 });
    expect(page).toEqual({ entries: [], oldest_timestamp: expect.any(String), has_more: true });
    const seen = await walk(member, {}, 3);
    expect(seen.map(({ ref }) => ref.id)).toEqual([first]);
    expect(await pageOf(owner, { limit: 100 })).toMatchObject({ entries: { length: 100 }, has_more: true });
    // Other types are passed over faster.
    const created = await pageOf(owner, { types: 'record_created' });
    expect(created).toMatchObject({ entries: { length: 2 }, has_more: false });
  });

  longIt('tells a task of as many records as one may have in the timeline of each', async () => {
    const contact_ids = await Promise.all(Array.from({ length: 30 }, () => contactOf()));
    const { task } = (await owner.api.createTask({ body: { task: { name: 'For all', contact_ids } } })).body;
    const whose = [{}, { user_id: owner.user.id }, ...contact_ids.map((contact_id) => ({ contact_id }))];
    for (const query of whose) {
      const [newest] = (await pageOf(owner, { ...query, limit: 1, types: 'task_created' })).entries;
      expect(newest?.ref.id).toBe(task.id);
    }
  });

  it('does not tell that deals moved with their stage', async () => {
    const stages = [
      { name: 'A' },
      { name: 'B' },
      { name: 'W', kind: 'won' as const },
      { name: 'L', kind: 'lost' as const },
    ];
    const pipeline = await givenPipeline(owner, 'Moves', { stages });
    const { id: deal_id } = await givenDealIn(owner, pipeline);
    await owner.api.deleteStage({
      params: { pipeline_id: pipeline.id, id: pipeline.stages[0]?.id as string },
      body: { replacement_stage_id: pipeline.stages[1]?.id as string },
    });
    await runMoves(workspace);
    expect(typesIn(await walk(owner, { deal_id }))).toEqual(['deal_created']);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportDraft } from '#shared/domain/exchange/exports/export.ts';
import { dealOf, givenDeal } from '../../support/deals.ts';
import { exportFile } from '../../support/exports.ts';
import { importFile } from '../../support/imports.ts';
import { longIt } from '../../support/long.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { firstPipelineOf } from '../../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Tables that exports write and imports read back (docs/specification/imports.md, "Exports"). */

type RecordType = ExportDraft['record_type'];

describe('a table of deals', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());

  const tableOf = async (record_type: RecordType) =>
    (await exportFile(workspace, ada, { record_type, format: 'csv' })).text;
  const statuses = async (bytes: string, record_type: RecordType = 'deals') =>
    (await importFile(workspace, ada, { bytes }, { record_type })).rows.map(({ status }) => status);
  const move = (id: string, stage_id: string | undefined) =>
    ada.api.updateDeal({ params: { id }, body: { deal: { stage_id } } });

  it('changes nothing: names of organizations beside ids, and probabilities of stages', async () => {
    const [, second] = [
      await givenOrganization(ada, { name: 'Acme' }),
      await givenOrganization(ada, { name: 'Acme' }),
    ];
    const { id } = await givenDeal(ada, { external_id: 'd-1', organization_id: second?.id });
    await givenDeal(ada, { external_id: 'd-2', probability: 35 });
    expect(await statuses(await tableOf('deals'))).toEqual(['unchanged', 'unchanged']);
    expect(await dealOf(ada, id)).toMatchObject({ organization_id: second?.id, probability: 10 });
    const { stages } = await firstPipelineOf(ada);
    await move(id, stages[2]?.id);
    expect((await dealOf(ada, id)).probability).toBe(stages[2]?.probability);
  });

  longIt('sets a probability that is neither what the deal shows nor that of its stage', async () => {
    const { stages } = await firstPipelineOf(ada);
    const [first, next] = stages;
    const { id } = await givenDeal(ada, { external_id: 'd-3' });
    const bring = async (probability: number, stage = first) => {
      const cells = ['d-3', 'Fleet renewal', stage?.id, probability];
      return [
        ...(await statuses(`external_id,name,stage_id,probability\n${cells.join()}\n`)),
        (await dealOf(ada, id)).probability,
      ];
    };
    expect(await bring(10)).toEqual(['unchanged', 10]);
    expect(await bring(10, next)).toEqual(['updated', next?.probability]);
    expect(await bring(77, next)).toEqual(['updated', 77]);
    expect(await bring(77)).toEqual(['updated', 77]);
    expect(await bring(10)).toEqual(['updated', 10]);
    await move(id, next?.id);
    expect((await dealOf(ada, id)).probability).toBe(next?.probability);
  });

  longIt('new deals follow their stages when they have the probability of them', async () => {
    const { stages } = await firstPipelineOf(ada);
    const bytes = 'external_id,name,probability\nd-4,Follows,10\nd-5,Own,15\n';
    const { rows } = await importFile(workspace, ada, { bytes }, { record_type: 'deals' });
    for (const { record_id } of rows) await move(`${record_id}`, stages[1]?.id);
    const found = await Promise.all(rows.map(({ record_id }) => dealOf(ada, `${record_id}`)));
    expect(found.map(({ probability }) => probability)).toEqual([stages[1]?.probability, 15]);
  });

  longIt('names count where a row has no id of the same thing, also of tasks', async () => {
    const { grace } = workspace;
    const [first, second] = [
      await givenOrganization(ada, { name: 'Ferries' }),
      await givenOrganization(ada, { name: 'Ferries' }),
    ];
    const { id: pipeline_id, stages } = await firstPipelineOf(ada);
    const deals = [
      'name,organization,organization_id,assigned_user,assigned_user_id,pipeline,pipeline_id,stage,stage_id',
      `Ids,Ferries,${second.id},Nobody,${grace.user.id},None,${pipeline_id},Nowhere,${stages[1]?.id}`,
      `Names,Ferries,,${ada.user.name},,Sales,,${stages[1]?.name},`,
    ].join('\n');
    const { rows } = await importFile(workspace, ada, { bytes: deals }, { record_type: 'deals' });
    const made = await Promise.all(rows.map(({ record_id }) => dealOf(ada, `${record_id}`)));
    const place = { pipeline_id, stage_id: stages[1]?.id };
    expect(made).toMatchObject([
      { ...place, organization_id: second.id, assigned_user_id: grace.user.id },
      { ...place, organization_id: first.id, assigned_user_id: ada.user.id },
    ]);
    const tasks = `name,organizations,organization_ids\nIds,Ferries,${second.id}\nNames,Ferries,\n`;
    const done = await importFile(workspace, ada, { bytes: tasks }, { record_type: 'tasks' });
    const linked = await Promise.all(
      done.rows.map(
        async ({ record_id }) =>
          (await ada.reader.retrieveTask({ params: { id: `${record_id}` } })).body.task.organization_ids,
      ),
    );
    expect(linked).toEqual([[second.id], [first.id]]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenTagged, runCleanUps } from '../../../support/tags.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('counts while a clean-up is under way', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const create = async (name: string) =>
    (await workspace.ada.api.createTag({ body: { tag: { name } } })).body.tag.id;
  const given = (tag_ids: string[], number: number, type: 'contacts' | 'threads' | 'files' = 'contacts') =>
    givenTagged(workspace, workspace.account_id, tag_ids, number, type);
  const remove = (id: string, replacement_tag_id: string) =>
    workspace.ada.api.deleteTag({ params: { id }, body: { replacement_tag_id } });

  /** The same from both operations that fill counts. */
  async function countsOf(id: string): Promise<(number | null)[]> {
    const { reader } = workspace.ada;
    const { tag } = (await reader.retrieveTag({ params: { id } })).body;
    const listed = (await reader.listTags()).body.collection.records.find((each) => each.id === id);
    expect(listed).toEqual(tag);
    return [tag.contact_count, tag.thread_count, tag.file_count];
  }

  it('records of several deleted tags count once, for each type of record', async () => {
    const [a, b, next] = [await create('A'), await create('B'), await create('Next')];
    await given([a], 3);
    await given([b], 2);
    await given([a, b], 5);
    await given([a, next], 7);
    await given([a, b, next], 11);
    await given([next], 13);
    await given([a, b], 17, 'threads');
    await given([b], 19, 'files');
    await remove(a, next);
    expect(await countsOf(next)).toEqual([39, 17, 0]);
    await remove(b, next);
    const all = [41, 17, 19];
    expect(await countsOf(next)).toEqual(all);
    await runCleanUps(workspace);
    expect(await countsOf(next)).toEqual(all);
  });

  it('more than 1,000 records that carry both are counted twice until the clean-up has reached them', async () => {
    const [most, few] = [await create('Most'), await create('Few')];
    await given([most, few], 1_001);
    await remove(few, most);
    expect(await countsOf(most)).toEqual([2_002, 0, 0]);
    await runCleanUps(workspace);
    expect(await countsOf(most)).toEqual([1_001, 0, 0]);
  });
});

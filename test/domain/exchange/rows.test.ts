import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../support/imports.ts';
import { longIt } from '../../support/long.ts';
import { readContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** What rows add to lists of records (docs/specification/imports.md, "Rows"). */
describe('a row', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());

  const bring = async (header: string, row: string, settings: object = {}) => {
    const { rows } = await importFile(workspace, ada, { bytes: `${header}\n${row}\n` }, settings);
    return rows[0]!;
  };
  const withTags = 'external_id,name,tags';
  const tagsOf = async (id: string | null) => (await readContact(ada, `${id}`)).tags?.map(({ name }) => name);

  it('with a further tag changes its record, and with tags that it has does not', async () => {
    const { record_id } = await bring(withTags, 't-1,Ada,one');
    const again = await bring(withTags, 't-1,Ada,two;ONE', { dry_run: true });
    expect(again).toMatchObject({ status: 'updated', record_id });
    expect(await tagsOf(record_id)).toEqual(['one']);
    expect((await bring(withTags, 't-1,Ada,two;ONE')).status).toBe('updated');
    expect(await tagsOf(record_id)).toEqual(['one', 'two']);
    expect((await bring(withTags, 't-1,Ada,Two;one')).status).toBe('unchanged');
  });

  it('with more tags than a record may have fails before anything is written, and when it is tried', async () => {
    const many = Array.from({ length: 101 }, (_, i) => `tag ${i}`).join(';');
    for (const dry_run of [true, false]) {
      const row = await bring(withTags, `t-2,Grace,${many}`, { dry_run });
      expect(row).toMatchObject({ status: 'failed', error: { fields: { tag: { code: 'invalid' } } } });
    }
    const { records } = (await ada.reader.listContacts({ query: { external_id: 't-2' } })).body.collection;
    expect(records).toEqual([]);
    const names = (await ada.reader.listTags()).body.collection.records.map(({ name }) => name);
    expect(names).not.toContain('tag 0');
  });

  longIt('has dates in the order that a later row tells', async () => {
    const later = Array.from({ length: 50 }, (_, i) => `Later ${i},`);
    const bytes = `${['name,birthday', 'Early,3/4/1990', ...later, 'Last,12/31/1990'].join('\n')}\n`;
    const { rows, import: done } = await importFile(workspace, ada, { bytes });
    expect(done).toMatchObject({ date_order: 'mdy', rows_failed: 0 });
    expect(await readContact(ada, `${rows[0]?.record_id}`)).toMatchObject({ birthday: '1990-03-04' });
  });

  it('adds no phone number that its record has, however it is written', async () => {
    const withPhone = 'external_id,name,phone';
    const { record_id } = await bring(withPhone, 'p-1,Eve,+44 20 7946 0123');
    expect((await bring(withPhone, 'p-1,Eve,0044 (0)20 79460123')).status).toBe('unchanged');
    expect((await bring(withPhone, 'p-1,Eve,+44 20 7946 0123 x7')).status).toBe('updated');
    const { phone_numbers } = await readContact(ada, `${record_id}`);
    expect(phone_numbers.map(({ phone_number }) => phone_number)).toEqual([
      '+44 20 7946 0123',
      '+44 20 7946 0123 x7',
    ]);
  });

  longIt(
    'with another title at the same employer adds a job, or the title to a job without one',
    async () => {
      const withJob = 'external_id,name,organization,title';
      const { record_id } = await bring(withJob, 'j-1,Ida,Acme,');
      const jobs = async () =>
        (await readContact(ada, `${record_id}`)).employments.map(({ title, organization, current }) => [
          title,
          organization?.name,
          current,
        ]);
      for (const [title, status, expected] of [
        ['Analyst', 'updated', ['Analyst']],
        ['Analyst', 'unchanged', ['Analyst']],
        ['', 'unchanged', ['Analyst']],
        ['Head', 'updated', ['Analyst', 'Head']],
        ['Head', 'unchanged', ['Analyst', 'Head']],
      ] as const) {
        expect((await bring(withJob, `j-1,Ida,ACME,${title}`)).status).toBe(status);
        expect(await jobs()).toEqual(expected.map((each) => [each, 'Acme', true]));
      }
    },
  );
});

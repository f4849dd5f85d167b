import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenUpload } from '../../support/files.ts';
import { createImport } from '../../support/imports.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Requests around imports: what is accepted, and who sees it. */

describe('an import', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const start = (user: TestUser, upload_id: string, more: object = {}) =>
    user.api.createImport({ body: { import: { upload_id, record_type: 'contacts', ...more } } });
  const bytes = 'name,email\nAda,\n';

  it('404: of uploads of others, and of pipelines that there are not', async () => {
    const { ada, grace, hank } = workspace;
    const { id } = await givenUpload(ada, { bytes });
    const foreign = [start(grace, id), start(hank, id), start(ada, randomUUID())];
    const pipeline = start(ada, id, { record_type: 'deals', pipeline_id: randomUUID() });
    const codes = await Promise.all([...foreign, pipeline].map(codeOf));
    expect(new Set(codes)).toEqual(new Set(['404 record_not_found']));
    expect((await start(ada, id)).status).toBe(202);
  });

  it('uses its upload once, also for two requests at the same time', async () => {
    const { id } = await givenUpload(workspace.ada, { bytes });
    const all = await Promise.all(
      [1, 2, 3].map(() => codeOf(start(workspace.ada, id)).catch(() => 'accepted')),
    );
    expect(all.filter((code) => code === '409 upload_already_used')).toHaveLength(2);
  });

  it.each([
    ['a photo', 'a.png', Buffer.from([0x89, 0x50, 0, 0]), {}],
    ['an empty file', 'a.csv', '', {}],
    ['no card', 'a.vcf', 'FN:Ada\n', {}],
    [
      'a card of an organization',
      'a.vcf',
      'BEGIN:VCARD\nFN:A\nEND:VCARD\n',
      { record_type: 'organizations' },
    ],
    ['a quotation mark in the first line', 'a.csv', 'name,"email\n', {}],
    ['201 columns', 'a.csv', `${Array.from({ length: 201 }, (_, i) => `c${i}`).join(',')}\n`, {}],
  ])('422: for %s, and the upload can be used again', async (_, name, content, more) => {
    const { ada } = workspace;
    const { id } = await givenUpload(ada, { name, bytes: content });
    expect(await codeOf(start(ada, id, more))).toBe('422 file_unreadable');
    expect((await ada.reader.retrieveUpload({ params: { id } })).body.upload.status).toBe('received');
  });

  it('202: the most columns, with the longest names, fields and examples', async () => {
    const { ada } = workspace;
    const many = <T>(make: (i: number) => T) => Array.from({ length: 200 }, (_, i) => make(i));
    const line = (end: string) => many((i) => `${'😀'.repeat(300)}${end}${i}`).join(',');
    const header = many((i) => `${String(i).padStart(3, '0')}${'😀'.repeat(300)}`);
    const mapping = Object.fromEntries(
      header.map((name, i) => [[...name].slice(0, 100).join(''), `custom_fields.${i}${'語'.repeat(250)}`]),
    );
    const { id } = await givenUpload(ada, {
      bytes: `${header.join(',')}\n${['a', 'b', 'c'].map(line).join('\n')}\n`,
    });
    const { columns } = (await start(ada, id, { mapping })).body.import;
    expect(columns.map(({ field }) => field)).toEqual(Object.values(mapping));
  });

  it('400: names each column and field of the mapping that does not fit', async () => {
    const { ada } = workspace;
    const { id } = await givenUpload(ada, { bytes: 'a,b,c,d,e,name\n' });
    const mapping = {
      a: 'nothing',
      b: 'custom_fields',
      c: 'name.x',
      d: 'headline',
      e: 'headline',
      z: 'name',
    };
    const error = await start(ada, id, { mapping }).catch((cause) => cause);
    expect([error.status, Object.keys(error.fields).sort()]).toEqual([
      400,
      ['mapping.a', 'mapping.b', 'mapping.c', 'mapping.e', 'mapping.z'],
    ]);
    const fine = { a: 'phone_numbers.work', b: 'phone_numbers', c: 'custom_fields.x.y', name: null };
    const { columns } = (await start(ada, id, { mapping: fine })).body.import;
    expect(columns.map(({ field }) => field)).toEqual([...Object.values(fine).slice(0, 3), null, null, null]);
  });

  it('names columns that have no name, or one that another has', async () => {
    const created = await createImport(workspace.ada, {
      bytes: 'Phone,,Phone,"a\nb",__proto__,Fax,Fax,Fax (2),Fax,Column 2\n1,2,3,4,5,6,7,8,9,10\n',
    });
    expect(created.columns.map(({ name, field }) => [name, field])).toEqual([
      ['Phone', 'phone_numbers'],
      ['Column 2', null],
      ['Phone (2)', 'phone_numbers'],
      ['a b', null],
      ['__proto__', null],
      ['Fax', 'phone_numbers.fax'],
      ['Fax (3)', null],
      ['Fax (2)', null],
      ['Fax (4)', null],
      ['Column 2 (2)', null],
    ]);
  });
});

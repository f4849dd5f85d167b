import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { reduced } from '../../support/long.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /tags', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const create = (tag: unknown, user: 'ada' | 'grace' | 'hank' = 'grace') =>
    workspace[user].api.createTag({ body: { tag } as never });

  it('201: what was sent, without counts', async () => {
    const sent = {
      name: 'Renewal',
      color: '#2F6FED',
      description: 'Contracts that end soon.',
      applicable_to_contacts: true,
      applicable_to_interactions: true,
    };
    const { status, body } = await create(sent);
    expect(status).toBe(201);
    const none = {
      contact_count: null,
      organization_count: null,
      deal_count: null,
      thread_count: null,
      file_count: null,
      calendar_event_count: null,
    };
    expect(body.tag).toEqual({ ...sent, ...none, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('201: only the name is needed, the switches are off', async () => {
    const { body } = await create({ name: 'Plain' });
    expect(body.tag).toMatchObject({
      color: null,
      description: null,
      applicable_to_contacts: false,
      applicable_to_interactions: false,
    });
  });

  it('201: the name is stored as typed', async () => {
    const { body } = await create({ name: ' VIP  Guest ' });
    expect(body.tag.name).toBe(' VIP  Guest ');
  });

  it.each([
    ['case', 'Invoices', 'INVOICES'],
    ['white space around it', 'Holiday', '  holiday\n'],
    ['its Unicode form', 'Café', 'CAFE\u0301'],
    ['letters with several lower cases', 'ΟΔΟΣ', 'οδοσ'],
  ])('409 tag_name_taken: names that differ only in %s are the same', async (_, first, second) => {
    await create({ name: first });
    const failure = await failureOf(create({ name: second }, 'ada'));
    expect([failure.status, failure.code]).toEqual([409, 'tag_name_taken']);
    expect(failure.fields.name?.code).toBe('taken');
  });

  it('201: another account may use the same name', async () => {
    await create({ name: 'Shared word' });
    expect((await create({ name: 'Shared word' }, 'hank')).status).toBe(201);
  });

  it('many concurrent requests with one name create one tag: 1 x 201, all others 409', async () => {
    const many = reduced(100);
    const responses = await Promise.all(
      Array.from({ length: many }, (_, i) =>
        create({ name: i % 2 ? 'Race' : 'RACE' }).then(
          ({ status }) => status,
          (error) => `${error.status} ${error.code}`,
        ),
      ),
    );
    expect(responses.filter((response) => response === 201)).toHaveLength(1);
    expect(responses.filter((response) => response === '409 tag_name_taken')).toHaveLength(many - 1);
    const { body } = await workspace.grace.reader.listTags();
    expect(body.collection.records.filter((tag) => tag.name.toLowerCase() === 'race')).toHaveLength(1);
  });

  it.each([
    ['nothing', {}, { name: 'required' }],
    ['an empty name', { name: '' }, { name: 'required' }],
    ['a blank name', { name: ' \t\n' }, { name: 'required' }],
    ['null', { name: null }, { name: 'required' }],
    ['a NUL in the name', { name: 'a\0b' }, { name: 'invalid_format' }],
    ['a lone surrogate', { name: 'a\ud800' }, { name: 'invalid_format' }],
    ['a name of 256', { name: 'x'.repeat(256) }, { name: 'too_long' }],
    ['a name of 10,000', { name: 'x'.repeat(10_000) }, { name: 'too_long' }],
    ['a color by name', { name: 'a', color: 'red' }, { color: 'invalid_format' }],
    ['a short color', { name: 'a', color: '#fff' }, { color: 'invalid_format' }],
    [
      'wrong types everywhere',
      {
        name: 1,
        color: {},
        description: [],
        applicable_to_contacts: 'true',
        applicable_to_interactions: 1,
      },
      {
        name: 'invalid',
        color: 'invalid',
        description: 'invalid',
        applicable_to_contacts: 'invalid',
        applicable_to_interactions: 'invalid',
      },
    ],
  ])('400: %s', async (_, tag, problems) => {
    expect(await problemsOf(create(tag))).toEqual(problems);
  });

  it.each([[undefined], [null], ['Renewal'], [['Renewal']]])(
    '400: %j instead of the wrapper',
    async (tag) => {
      expect(Object.keys(await problemsOf(create(tag)))).toEqual(['tag']);
    },
  );

  it('201: a name of 255 characters outside the Basic Multilingual Plane', async () => {
    expect((await create({ name: '\u{1F600}'.repeat(255) })).status).toBe(201);
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const call = workspace.grace.reader.createTag({ body: { tag: { name: 'Read only' } } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });
});

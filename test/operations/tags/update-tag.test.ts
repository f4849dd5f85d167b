import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { longIt, reduced, STRIDE } from '../../support/long.ts';
import { expectConsistent, givenTagged } from '../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /tags/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());
  afterEach(async () => {
    vi.restoreAllMocks();
    // After every test: one lock for each name, held by the tag with that name.
    await expectConsistent(workspace.table, workspace.account_id);
  });

  const create = async (tag: { name: string; color?: string }, user: TestUser = workspace.grace) =>
    (await user.api.createTag({ body: { tag } })).body.tag;
  const update = (id: string, tag: unknown, user: TestUser = workspace.grace) =>
    user.api.updateTag({ params: { id }, body: { tag } as never });
  const retrieve = async (id: string) =>
    (await workspace.grace.reader.retrieveTag({ params: { id } })).body.tag;
  /** The status, and the code of a failure. */
  const outcome = (call: Promise<{ status: number }>) =>
    call.then(
      ({ status }) => String(status),
      (error) => `${error.status} ${error.code}`,
    );

  it('200: every attribute, with counts null', async () => {
    const { id } = await create({ name: 'Everything' });
    await givenTagged(workspace, workspace.account_id, [id], 3);
    const sent = {
      name: 'All of it',
      color: '#2F6FED',
      description: 'Contracts that end soon.',
      applicable_to_contacts: true,
      applicable_to_interactions: true,
    };
    const { status, body } = await update(id, sent);
    expect(status).toBe(200);
    const none = {
      contact_count: null,
      organization_count: null,
      deal_count: null,
      thread_count: null,
      file_count: null,
      calendar_event_count: null,
    };
    expect(body.tag).toEqual({ id, ...sent, ...none });
    expect(await retrieve(id)).toMatchObject({ ...sent, contact_count: 3, thread_count: 0 });
  });

  it.each([
    ['name', 'Renamed alone'],
    ['color', '#000000'],
    ['description', 'Only this'],
    ['applicable_to_contacts', true],
    ['applicable_to_interactions', true],
  ])('200: only %s is sent, the rest stays', async (field, value) => {
    const before = await create({ name: `Alone ${field}`, color: '#112233' });
    const { body } = await update(before.id, { [field]: value });
    expect(body.tag).toEqual({ ...before, [field]: value });
  });

  it('200: null clears color, description and switches', async () => {
    const { id } = await create({ name: 'Cleared', color: '#112233' });
    await update(id, { description: 'Text', applicable_to_contacts: true });
    const cleared = {
      color: null,
      description: null,
      applicable_to_contacts: null,
      applicable_to_interactions: null,
    };
    expect((await update(id, cleared)).body.tag).toMatchObject({ ...cleared, name: 'Cleared' });
  });

  it('200: nothing sent changes nothing; unknown keys and those of the service are ignored', async () => {
    const before = await create({ name: 'Untouched', color: '#112233' });
    expect((await update(before.id, {})).body.tag).toEqual(before);
    const sent = { id: randomUUID(), thread_count: 7, deleted_at: 'x', account_id: 'x', nonsense: 1 };
    expect((await update(before.id, sent)).body.tag).toEqual(before);
    expect(await retrieve(before.id)).toMatchObject({ name: 'Untouched', thread_count: 0 });
  });

  it('200: every user of the account may edit, whoever made the tag', async () => {
    const { id } = await create({ name: 'Of Ada' }, workspace.ada);
    expect((await update(id, { color: '#445566' }, workspace.linus)).body.tag.color).toBe('#445566');
  });

  it('200: a new name frees the old one and takes the new one', async () => {
    const { id } = await create({ name: 'Old name' });
    await update(id, { name: 'New name' });
    expect(await codeOf(workspace.ada.api.createTag({ body: { tag: { name: 'NEW NAME' } } }))).toBe(
      '409 tag_name_taken',
    );
    expect((await create({ name: 'old NAME' })).id).not.toBe(id);
  });

  it.each([
    ['in another case', 'Invoices', 'INVOICES'],
    ['in another Unicode form', 'Café', 'Cafe\u0301'],
    ['with other white space around it', 'Holiday', ' Holiday '],
    ['unchanged', 'Same', 'Same'],
  ])('200: its own name %s', async (_, name, again) => {
    const { id } = await create({ name });
    expect((await update(id, { name: again })).body.tag.name).toBe(again);
    expect((await update(id, { name, color: '#111111' })).body.tag).toMatchObject({ name, color: '#111111' });
  });

  it('409 tag_name_taken: a name of another tag, in any case; nothing is changed', async () => {
    await create({ name: 'Occupied' });
    const { id } = await create({ name: 'Wanderer' });
    const failure = await failureOf(update(id, { name: ' OCCUPIED', color: '#000000' }));
    expect([failure.status, failure.code]).toEqual([409, 'tag_name_taken']);
    expect(failure.fields.name?.code).toBe('taken');
    expect(await retrieve(id)).toMatchObject({ name: 'Wanderer', color: null });
  });

  it('200: a name that another account uses', async () => {
    await create({ name: 'Elsewhere' }, workspace.hank);
    const { id } = await create({ name: 'Here' });
    expect((await update(id, { name: 'Elsewhere' })).status).toBe(200);
  });

  it('many tags renamed to one name at once: one gets it, the others 409', async () => {
    const many = reduced(50);
    const tags = await Promise.all(Array.from({ length: many }, (_, i) => create({ name: `Runner ${i}` })));
    const responses = await Promise.all(
      tags.map(({ id }, i) => outcome(update(id, { name: i % 2 ? 'Prize' : 'PRIZE' }))),
    );
    expect(responses.filter((response) => response === '200')).toHaveLength(1);
    expect(responses.filter((response) => response === '409 tag_name_taken')).toHaveLength(many - 1);
  });

  it('a tag that is renamed to many names at once has one of them, and the others are free', async () => {
    const { id } = await create({ name: 'Shifting' });
    const names = Array.from({ length: reduced(20) }, (_, i) => `Shape ${i}`);
    const responses = await Promise.all(names.map((name) => outcome(update(id, { name }))));
    expect(new Set(responses)).toEqual(new Set(['200']));
    const { name: kept } = await retrieve(id);
    expect(names).toContain(kept);
    const free = names.filter((name) => name !== kept);
    expect(
      await Promise.all(free.map((name) => outcome(create({ name }).then(() => ({ status: 201 }))))),
    ).toEqual(free.map(() => '201'));
  });

  it('one tag renamed by 20 at once to the same name: all succeed', async () => {
    const { id } = await create({ name: 'Unanimous' });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => outcome(update(id, { name: 'Agreed' }))),
    );
    expect(new Set(responses)).toEqual(new Set(['200']));
  });

  it('two tags that exchange names at once never have the same', async () => {
    const [first, second] = [await create({ name: 'Left' }), await create({ name: 'Right' })];
    const responses = await Promise.all([
      outcome(update(first.id, { name: 'Right' })),
      outcome(update(second.id, { name: 'Left' })),
    ]);
    expect(responses).toEqual(['409 tag_name_taken', '409 tag_name_taken']);
  });

  longIt('renaming, creating and deleting one name at once leaves no name without a tag', async () => {
    const tags = await Promise.all(Array.from({ length: 8 }, (_, i) => create({ name: `Crowd ${i}` })));
    const { ada } = workspace;
    await Promise.all([
      ...tags.map(({ id }) => outcome(update(id, { name: 'Crown' }))),
      ...tags.slice(0, 4).map(({ id }) => outcome(ada.api.deleteTag({ params: { id } }))),
      ...tags.map(() => outcome(create({ name: 'crown' }).then(() => ({ status: 201 })))),
    ]);
    const { body } = await ada.reader.listTags();
    const crowned = body.collection.records.filter(({ name }) => name.toLowerCase() === 'crown');
    expect(crowned.length).toBeLessThanOrEqual(1);
  });

  it('a rename during another change keeps both', async () => {
    const { id } = await create({ name: 'Slow' });
    const { table } = workspace;
    const write = table.update.bind(table);
    vi.spyOn(table, 'update').mockImplementation(async (key, change, returns) => {
      if (Object.hasOwn(change.set ?? {}, 'color')) {
        vi.restoreAllMocks();
        await update(id, { name: 'Fast' });
      }
      return write(key, change, returns);
    });
    const { body } = await update(id, { name: 'SLOW', color: '#778899' });
    expect(body.tag).toMatchObject({ name: 'SLOW', color: '#778899' });
    expect((await create({ name: 'Fast' })).id).not.toBe(id);
  });

  it('has the old or the new name, whichever call fails, and a retry succeeds', async () => {
    for (let call = 1, reached = true; reached; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const { id } = await create({ name: `Fault ${call} ${when}` });
        const name = `Recovered ${call} ${when}`;
        const fault = failCall(workspace.table, call, when);
        const response = await outcome(update(id, { name }));
        fault.remove();
        reached = fault.hit;
        expect(['200', '500 error']).toContain(response);
        await expectConsistent(workspace.table, workspace.account_id);
        expect((await update(id, { name })).body.tag.name).toBe(name);
      }
  });

  it.each([
    ['an empty name', { name: '' }, { name: 'required' }],
    ['a blank name', { name: ' \t\n' }, { name: 'required' }],
    ['null as name', { name: null }, { name: 'invalid' }],
    ['a NUL in the name', { name: 'a\0b' }, { name: 'invalid_format' }],
    ['a lone surrogate', { name: 'a\ud800' }, { name: 'invalid_format' }],
    ['a name of 256', { name: 'x'.repeat(256) }, { name: 'too_long' }],
    ['a description of 1,001', { description: 'x'.repeat(1_001) }, { description: 'too_long' }],
    ['a color by name', { color: 'red' }, { color: 'invalid_format' }],
    ['a short color', { color: '#fff' }, { color: 'invalid_format' }],
    ['an empty color', { color: '' }, { color: 'invalid_format' }],
    [
      'wrong types everywhere',
      { name: 1, color: {}, description: [], applicable_to_contacts: 'true', applicable_to_interactions: 1 },
      {
        name: 'invalid',
        color: 'invalid',
        description: 'invalid',
        applicable_to_contacts: 'invalid',
        applicable_to_interactions: 'invalid',
      },
    ],
  ])('400: %s', async (_, tag, problems) => {
    const { id } = await create({ name: `Bad ${randomUUID()}` });
    expect(await problemsOf(update(id, tag))).toEqual(problems);
  });

  it.each([[undefined], [null], ['Renewal'], [['Renewal']]])(
    '400: %j instead of the wrapper',
    async (tag) => {
      const { id } = await create({ name: `Unwrapped ${randomUUID()}` });
      expect(Object.keys(await problemsOf(update(id, tag)))).toEqual(['tag']);
    },
  );

  it('200: a name of 255 characters outside the Basic Multilingual Plane', async () => {
    const { id } = await create({ name: 'Short' });
    expect((await update(id, { name: '\u{1F600}'.repeat(255) })).status).toBe(200);
  });

  it('404: a tag of another account, a deleted and an unknown one', async () => {
    const foreign = await create({ name: 'Foreign' }, workspace.hank);
    const gone = await create({ name: 'Gone' });
    await workspace.ada.api.deleteTag({ params: { id: gone.id } });
    for (const id of [foreign.id, gone.id, randomUUID(), 'x'])
      expect(await codeOf(update(id, { name: 'Ghost' }))).toBe('404 record_not_found');
    expect((await create({ name: 'Ghost' })).name).toBe('Ghost');
  });

  it('404: a tag that is deleted between reading and writing', async () => {
    const { id } = await create({ name: 'Vanishing' });
    const { table } = workspace;
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementationOnce(async (writes) => {
      await workspace.ada.api.deleteTag({ params: { id } });
      await transact(writes);
    });
    expect(await codeOf(update(id, { name: 'Too late' }))).toBe('404 record_not_found');
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const { id } = await create({ name: 'Read only' });
    const call = workspace.grace.reader.updateTag({ params: { id }, body: { tag: { name: 'Written' } } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isRetrieve } from '#shared/api/etag.ts';
import { acceptsIfMatch } from '#shared/api/if-match.ts';
import { operations } from '../../functions/catalogue.ts';
import { long, longIt, reduced } from '../support/long.ts';
import { asJson, bearer, fieldCodes, type RawResponse, raw } from '../support/raw.ts';
import { createRecords, type Records } from '../support/records.ts';
import { countRequestTrips } from '../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Changing the version of a record that was read, and no other (RFC 9110, 13.1.1), of every record. */

const definitions = operations.map(({ definition }) => definition);
const retrieved = definitions
  .filter((each) => isRetrieve(each) && each.access !== 'public')
  .map(({ path }) => path);
const conditional = definitions
  .filter(acceptsIfMatch)
  .map(({ path, ...rest }) => ({ ...rest, path: path as string }));
const changes = conditional.filter(({ method }) => method === 'PATCH');
/** What belongs to another record first. */
const deletions = conditional
  // A user who was deactivated and a request that was withdrawn can still be retrieved, in a closed account nothing can.
  .filter(
    ({ method, name }) =>
      method === 'DELETE' && !['deleteShareRequest', 'deleteUser', 'closeAccount'].includes(name),
  )
  .sort((a, b) => b.path.split('/').length - a.path.split('/').length);

/** The field that tests change: its wrapper, its name. */
const fields: Record<string, [string, string]> = {
  updateAccount: ['account', 'name'],
  updateContact: ['contact', 'name'],
  updateCustomField: ['custom_field', 'name'],
  updateDeal: ['deal', 'name'],
  updateDraft: ['draft', 'subject'],
  updateTask: ['task', 'name'],
  updateFile: ['file', 'name'],
  updateGroup: ['group', 'name'],
  updateMailbox: ['mailbox', 'name'],
  updateMilestone: ['milestone', 'name'],
  updateOrganization: ['organization', 'name'],
  updatePipeline: ['pipeline', 'name'],
  updateSpace: ['space', 'name'],
  updateTag: ['tag', 'name'],
  updateCalendarEvent: ['calendar_event', 'name'],
  updateConversation: ['conversation', 'title'],
  updateUser: ['user', 'first_name'],
};

describe('If-Match', () => {
  let workspace: Workspace;
  let records: Records;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    records = await createRecords(workspace, workspace.ada);
    const params = { calendar_event_id: records.calendar_events as string };
    const segments = [{ started_ms: 0, ended_ms: 1, text: 'Shall we begin?' }];
    await workspace.ada.api.createTranscript({ params, body: { transcript: { segments } } });
    const { pipeline } = (await workspace.ada.api.createPipeline({ body: { pipeline: { name: 'Another' } } }))
      .body;
    records.pipelines = pipeline.id;
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace?.stop());

  const pathOf = (template: string) =>
    template.replaceAll(/([a-z_]+)\/\{\w+\}/g, (_, type: string) => `${type}/${records[type]}`);
  const send = (
    method: string,
    path: string,
    { tag, body, key = workspace.ada.session_token }: { tag?: string; body?: object; key?: string } = {},
  ) =>
    raw(workspace.url, {
      method,
      path,
      headers: [
        bearer(key),
        ...(tag === undefined ? [] : [['If-Match', tag] as [string, string]]),
        ...(body ? [asJson] : []),
      ],
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const get = (path: string) => send('GET', path);
  const tagOf = async (path: string) => (await get(path)).headers.etag as string;
  const outcome = ({ status, json }: RawResponse) =>
    json.error ? `${status} ${json.error.code}` : `${status}`;
  const STALE = '412 precondition_failed';

  let count = 0;
  const patch = (name: string, path: string, value: string, tag?: string, key?: string) => {
    const [wrapper, field] = fields[name] as [string, string];
    return send('PATCH', path, {
      body: { [wrapper]: { [field]: value } },
      ...(tag ? { tag } : {}),
      ...(key ? { key } : {}),
    });
  };
  /** In a minute of their own: all requests of this file are more than a credential may send in one. */
  const later = (minutes: number) => workspace.setTime(new Date(Date.now() + minutes * 60_000));
  const next = () => `Version ${++count}`;
  const valueAt = async (name: string, path: string) => {
    const [wrapper, field] = fields[name] as [string, string];
    return ((await get(path)).json[wrapper] as Record<string, unknown>)[field];
  };

  /** Runs `other` between the last read of the next change of a table item that names the record, and its write. */
  const meanwhile = (id: string, other: () => Promise<unknown>) => {
    let ran = false;
    workspace.table.client.middlewareStack.add(
      (send, context) => async (args) => {
        const writes = /^(TransactWrite|Update|Put|Delete)/.test(String(context.commandName));
        if (!ran && writes && JSON.stringify(args.input).includes(id)) {
          ran = true;
          await other();
        }
        return send(args);
      },
      { step: 'initialize', name: 'between' },
    );
    return () => {
      workspace.table.client.middlewareStack.remove('between');
      expect(ran).toBe(true);
    };
  };

  it('is for every change and deletion of a record that can be retrieved', () => {
    const expected = definitions.filter(
      ({ method, path }) => ['PATCH', 'DELETE'].includes(method) && retrieved.includes(path),
    );
    expect(conditional.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    expect(Object.keys(fields).sort()).toEqual(changes.map(({ name }) => name).sort());
    const creates = definitions.filter(
      ({ method, path }) =>
        method === 'POST' && (retrieved.includes(`${path as string}/{id}`) || retrieved.includes(path)),
    );
    // A session comes with an account, and an answer with a question; imports, exports and briefings end by themselves.
    const ending = ['createExport', 'createImport', 'createMailImport', 'createDailyBriefing'];
    const others = ['createAccount', 'createMessage', ...ending];
    expect(
      creates.filter(({ versioned, name }) => !versioned && !others.includes(name)).map(({ name }) => name),
    ).toEqual([]);
  });

  /** Half in `npm test`. */
  const some = long ? changes : changes.filter((_, i) => i % 2 === 0);

  it.each(changes)(
    '$name: the ETag of a read, then that of each change',
    async ({ name, path: template }) => {
      const path = pathOf(template);
      const first = await tagOf(path);
      const changed = await patch(name, path, next(), first);
      expect([outcome(changed), changed.headers.etag]).toEqual(['200', expect.stringMatching(/^"[\w-]+"$/)]);
      expect(outcome(await patch(name, path, 'Lost', first))).toBe(STALE);
      expect(await valueAt(name, path)).toBe(`Version ${count}`);
      const again = await patch(name, path, next(), changed.headers.etag);
      expect(outcome(again)).toBe('200');
      expect((await tagOf(path)).slice(0, -45)).toBe(again.headers.etag?.slice(0, -1));
      expect(outcome(await patch(name, path, next(), `"other", ,${again.headers.etag}`))).toBe('200');
    },
  );

  it.each(some)('$name: a change meanwhile is not lost', async ({ name, path: template }) => {
    const path = pathOf(template);
    const [mine, theirs, tag] = [next(), next(), await tagOf(path)];
    const end = meanwhile(records[template.split('/')[1] as string] as string, () =>
      patch(name, path, theirs),
    );
    const answer = await patch(name, path, mine, tag).finally(end);
    expect([outcome(answer), await valueAt(name, path)]).toEqual([STALE, theirs]);
  });

  it.each(some.map((each, i) => ({ ...each, i })))(
    '$name: of many at once with one ETag, one is done',
    async ({ name, path: template, i }) => {
      const path = pathOf(template);
      later(20 + 2 * i);
      const tag = await tagOf(path);
      const names = Array.from({ length: reduced(100) }, next);
      const answers = await Promise.all(names.map((value) => patch(name, path, value, tag)));
      expect(answers.map(outcome).sort()).toEqual(['200', ...names.slice(1).fill(STALE)]);
      expect(await valueAt(name, path)).toBe(names[answers.findIndex(({ status }) => status === 200)]);
    },
  );

  longIt('changes nothing of a time: two changes in one millisecond have two versions', async () => {
    workspace.setTime(new Date('2060-01-01T12:00:00Z'));
    for (const { name, path: template } of changes) {
      const path = pathOf(template);
      const first = await patch(name, path, next());
      const second = await patch(name, path, next());
      expect([name, first.status, second.status]).toEqual([name, 200, 200]);
      expect(second.headers.etag).not.toBe(first.headers.etag);
      expect(outcome(await patch(name, path, next(), first.headers.etag))).toBe(STALE);
    }
  });

  const { path: dealPath } = { path: '/deals/{id}' };
  longIt.each<[string, string | ((tag: string) => string), string]>([
    ['any', '*', '200'],
    ['with spaces', ' * ', '200'],
    ['a weak one', (tag) => `W/${tag}`, STALE],
    ['another', '"other"', STALE],
    ['an empty one', '""', STALE],
    ['one of many', (tag) => `"a", W/"b" ,,\t${tag},`, '200'],
    ['with a comma in another', (tag) => `"a,b", ${tag}`, '200'],
    ['without quotation marks', (tag) => tag.slice(1, -1), '400 invalid_request'],
    ['with one quotation mark', (tag) => tag.slice(1), '400 invalid_request'],
    ['any and another', (tag) => `*, ${tag}`, '400 invalid_request'],
    ['two without a comma', (tag) => `${tag} "a"`, '400 invalid_request'],
    ['nothing', ' ', '400 invalid_request'],
    ['only commas', ',,', '400 invalid_request'],
    ['a weak one in small letters', (tag) => `w/${tag}`, '400 invalid_request'],
  ])('%s', async (_what, sent, expected) => {
    const path = pathOf(dealPath);
    const tag = await tagOf(path);
    const answer = await patch('updateDeal', path, next(), typeof sent === 'string' ? sent : sent(tag));
    expect(outcome(answer)).toBe(expected);
    if (expected.startsWith('400')) expect(fieldCodes(answer)).toEqual({ 'If-Match': 'invalid_format' });
    expect((await valueAt('updateDeal', path)) === `Version ${count}`).toBe(expected === '200');
  });

  it('two headers are one list', async () => {
    const path = pathOf(dealPath);
    const tag = await tagOf(path);
    const { status } = await raw(workspace.url, {
      method: 'PATCH',
      path,
      headers: [bearer(workspace.ada.write_key), asJson, ['If-Match', '"a"'], ['if-match', tag]],
      body: JSON.stringify({ deal: { name: next() } }),
    });
    expect(status).toBe(200);
  });

  it('says nothing to who does not see the record, and 403 comes first', async () => {
    const { ada, grace, linus, hank } = workspace;
    const { body } = await ada.api.createDeal({ body: { deal: { name: 'Secret', visibility: 'private' } } });
    const path = `/deals/${body.deal.id}`;
    const share = { user_id: grace.user.id, access: 'view' as const };
    await ada.api.createShare({ params: { record_type: 'deals', record_id: body.deal.id }, body: { share } });
    for (const tag of ['*', '"other"', await tagOf(path)]) {
      for (const { write_key } of [linus, hank])
        expect(outcome(await patch('updateDeal', path, 'Mine', tag, write_key))).toBe('404 record_not_found');
      expect(outcome(await patch('updateDeal', path, 'Mine', tag, grace.write_key))).toBe(
        '403 permission_denied',
      );
    }
    expect(outcome(await patch('updateDeal', path.replace(/.{12}$/, '000000000000'), 'Mine', '*'))).toBe(
      '404 record_not_found',
    );
  });

  it('is about what was written: comments, tags, shares, pins and mail make no other version', async () => {
    const { ada, grace } = workspace;
    const record = { record_type: 'contacts' as const, record_id: records.contacts as string };
    const path = pathOf('/contacts/{id}');
    const tag = await tagOf(path);
    await grace.api.createComment({ params: record, body: { comment: { html_content: 'Hi' } } });
    await ada.api.applyTag({ params: record, body: { tag_id: records.tags as string } });
    await ada.api.createShare({ params: record, body: { share: { user_id: grace.user.id } } });
    expect(await tagOf(path)).not.toBe(tag);
    expect(outcome(await patch('updateContact', path, next(), tag))).toBe('200');
  });

  it('is one for all readers, whatever they see of the record', async () => {
    const { ada, grace } = workspace;
    const hidden = await ada.api.createContact({
      body: { contact: { name: 'Hidden', visibility: 'private' } },
    });
    const contact_ids = [hidden.body.contact.id];
    const { body } = await ada.api.createDeal({ body: { deal: { name: 'Seen', contact_ids } } });
    const path = `/deals/${body.deal.id}`;
    const { headers } = await send('GET', path, { key: grace.write_key });
    const answer = await patch('updateDeal', path, next(), headers.etag, grace.write_key);
    expect(outcome(answer)).toBe('200');
    expect(outcome(await patch('updateDeal', path, next(), answer.headers.etag))).toBe('200');
  });

  longIt('of an occurrence covers its series', async () => {
    const { ada } = workspace;
    const common = { calendar_id: records.calendars as string, starts_at: '2026-11-23T09:00:00Z' };
    const draft = {
      ...common,
      name: 'Daily',
      time_zone: 'Europe/London',
      ends_at: '2026-11-23T10:00:00Z',
      recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
    };
    const series = (await ada.api.createCalendarEvent({ body: { calendar_event: draft } })).body
      .calendar_event;
    const window = {
      starts_after: '2026-11-23T00:00:00Z',
      starts_before: '2026-12-01T00:00:00Z',
      calendar_id: common.calendar_id,
    };
    const { collection } = (await ada.api.listCalendarEvents({ query: window })).body;
    const own = collection.records.filter(({ recurring_event_id }) => recurring_event_id === series.id);
    const paths = own.slice(0, 2).map(({ id }) => `/calendar_events/${id}`) as [string, string];
    const [stored, plain] = (await Promise.all(paths.map(tagOf))) as [string, string];
    const moved = await patch('updateCalendarEvent', paths[0], 'Own', stored);
    expect(outcome(moved)).toBe('200');
    expect(outcome(await patch('updateCalendarEvent', paths[0], 'Lost', stored))).toBe(STALE);
    await patch('updateCalendarEvent', `/calendar_events/${series.id}`, 'All');
    for (const [path, tag] of [
      [paths[0], moved.headers.etag],
      [paths[1], plain],
    ] as [string, string][])
      expect(outcome(await patch('updateCalendarEvent', path, 'Lost', tag))).toBe(STALE);
    const end = meanwhile(series.id, () =>
      patch('updateCalendarEvent', `/calendar_events/${series.id}`, 'Again'),
    );
    const answer = await patch('updateCalendarEvent', paths[0], 'Lost', await tagOf(paths[0])).finally(end);
    expect(outcome(answer)).toBe(STALE);
  });

  it('costs no round trip', async () => {
    const { ada } = workspace;
    const path = pathOf(dealPath);
    const tag = await tagOf(path);
    const without = await countRequestTrips(workspace, ada, () => patch('updateDeal', path, next()));
    const after = await tagOf(path);
    const held = await countRequestTrips(workspace, ada, () => patch('updateDeal', path, next(), after));
    const failed = await countRequestTrips(workspace, ada, () => patch('updateDeal', path, next(), tag));
    expect(held.depth).toBe(without.depth);
    expect(failed.depth).toBeLessThan(without.depth);
  });

  it('a repeated create has the ETag of the first response', async () => {
    const post = () =>
      raw(workspace.url, {
        method: 'POST',
        path: '/groups',
        headers: [bearer(workspace.ada.write_key), asJson, ['Idempotency-Key', 'with-etag']],
        body: JSON.stringify({ group: { name: 'Kept' } }),
      });
    const [first, second] = [await post(), await post()];
    expect(second.headers.etag).toBe(first.headers.etag);
    const path = `/groups/${(first.json.group as { id: string }).id}`;
    expect(outcome(await patch('updateGroup', path, next(), first.headers.etag))).toBe('200');
  });

  it('a member who joined meanwhile stays', async () => {
    const { ada, grace, linus } = workspace;
    const { group } = (await ada.api.createGroup({ body: { group: { name: next() } } })).body;
    const path = `/groups/${group.id}`;
    const tag = await tagOf(path);
    await ada.api.createMembership({ params: { group_id: group.id }, body: { user_id: grace.user.id } });
    const body = { group: { user_ids: [linus.user.id] } };
    expect(outcome(await send('PATCH', path, { body, tag }))).toBe(STALE);
  });

  it.each(deletions)('$name: only the version that was read', async ({ path: template }) => {
    later(10);
    const path = pathOf(template);
    const tag = await tagOf(path);
    expect(tag, `${path} is there`).toBeDefined();
    expect(outcome(await send('DELETE', path, { tag: '"other"' }))).toBe(STALE);
    expect(outcome(await send('DELETE', path, { tag: `W/${tag}` }))).toBe(STALE);
    expect((await get(path)).status).toBe(200);
    expect(outcome(await send('DELETE', path, { tag }))).toBe('204');
    expect((await get(path)).status).toBe(404);
    expect(outcome(await send('DELETE', path, { tag: '*' }))).toMatch(/^404 /);
  });

  it.each([
    ['deleteUser', 'users', 'user', 'deactivated'],
    ['deleteShareRequest', 'share_requests', 'share_request', 'withdrawn'],
  ])('%s: only the version that was read', async (_, type, wrapper, status) => {
    later(10);
    const path = `/${type}/${type === 'users' ? workspace.linus.user.id : records[type]}`;
    const tag = await tagOf(path);
    expect(outcome(await send('DELETE', path, { tag: '"other"' }))).toBe(STALE);
    expect(outcome(await send('DELETE', path, { tag }))).toBe('204');
    expect(outcome(await send('DELETE', path, { tag }))).toBe(STALE);
    expect((await get(path)).json[wrapper]).toMatchObject({ status });
  });

  it('closeAccount: only the version that was read', async () => {
    later(10);
    const path = `/accounts/${workspace.account_id}`;
    const tag = await tagOf(path);
    expect(outcome(await send('DELETE', path, { tag: '"other"' }))).toBe(STALE);
    expect(outcome(await send('DELETE', path, { tag }))).toBe('204');
    expect(outcome(await get(path))).toBe('401 unauthorized');
  });
});

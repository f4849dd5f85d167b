import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { allEvents, givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { purgeAll } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const said = (text: string, i = 0) => ({ started_ms: i * 1_000, ended_ms: i * 1_000 + 900, text });

describe('POST /calendar_events/{calendar_event_id}/transcript', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let calendar: { calendar_id: string; mailbox_id: string };
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace, linus } = workspace);
    calendar = await givenCalendar(workspace, ada);
    await shareMailbox(ada, calendar.mailbox_id, grace);
  });
  afterAll(() => workspace.stop());

  const event = (fields = {}) => givenEvent(ada, calendar.calendar_id, fields);
  const on = (id: string) => ({ params: { calendar_event_id: id } });
  const store = (id: string, transcript: object, user = ada) =>
    user.api.createTranscript({ ...on(id), body: { transcript } as never });
  const read = async (id: string, user = ada) =>
    (await user.reader.retrieveTranscript(on(id))).body.transcript;
  const parts = async (id: string) => {
    const { PK, SK } = keys.transcripts(id);
    return (await workspace.table.all(PK, SK)).length;
  };

  it('201: is given back, replaced as a whole, and deleted', async () => {
    const { id } = await event();
    expect(await codeOf(read(id).then(() => ({ status: 200 })))).toBe('404 no_transcript');
    const segment = { speaker: 'Ada', email_address: 'ada@acme.example', ...said('Shall we begin?') };
    const { status, body } = await store(id, { language: 'en-GB', segments: [segment, said('Yes', 1)] });
    expect([status, body.transcript.segments]).toEqual([
      201,
      [segment, { speaker: null, email_address: null, ...said('Yes', 1) }],
    ]);
    expect(await read(id, grace)).toEqual(body.transcript);
    const { calendar_event } = (await ada.reader.retrieveCalendarEvent({ params: { id } })).body;
    expect(calendar_event.has_transcript).toBe(true);
    await store(id, { segments: [said('Again')] });
    expect((await read(id)).segments.map(({ text }) => text)).toEqual(['Again']);
    expect(await parts(id)).toBe(1);
    expect((await ada.api.deleteTranscript(on(id))).status).toBe(204);
    expect(await codeOf(ada.api.deleteTranscript(on(id)))).toBe('404 no_transcript');
    expect(await parts(id)).toBe(0);
  });

  it('400: more segments than valid ones fit into a request are not looked at', async () => {
    const { id } = await event();
    const many = { segments: Array(300_000).fill({}) };
    expect(await problemsOf(store(id, many))).toEqual({ segments: 'too_long' });
    expect(await problemsOf(store(id, { segments: [] }))).toEqual({ segments: 'too_short' });
    const two = { segments: [said('x'), { ...said('x'), started_ms: null }] };
    expect(await problemsOf(store(id, two))).toEqual({ 'segments.1.started_ms': 'required' });
  });

  longIt('201: more than an item, of whatever characters; a reader sees one or the other', async () => {
    const { id } = await event();
    const large = (letter: string) =>
      Array.from({ length: 150 }, (_, i) => said(`${letter}${randomBytes(7_000).toString('base64')}`, i));
    const [old, next] = [large('a'), large('b')];
    await store(id, { segments: old });
    expect(await parts(id)).toBeGreaterThan(2);
    const [, ...seen] = await Promise.all([store(id, { segments: next }), read(id), read(id), read(id)]);
    for (const { segments } of seen)
      expect([...new Set(segments.map(({ text }) => text[0]))]).toHaveLength(1);
    expect((await read(id)).segments.map(({ text }) => text)).toEqual(next.map(({ text }) => text));
    await ada.api.deleteCalendarEvent({ params: { id } });
    await purgeAll(workspace);
    expect(await workspace.table.all(keys.record('calendar_events', id).PK)).toEqual([]);
  });

  longIt('201: of one occurrence', async () => {
    await event({
      ...{ time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=2'] },
      ...{ starts_at: '2027-05-03T09:00:00Z', ends_at: '2027-05-03T10:00:00Z' },
    });
    const window = { starts_after: '2027-05-01', starts_before: '2027-06-01' };
    const list = () => allEvents(ada, window);
    const [first] = await list();
    await store(first?.id as string, { segments: [said('x')] });
    expect((await list()).map(({ id, has_transcript }) => [id === first?.id, has_transcript])).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('403 for who may look only, 404 for who does not see it; with an edit share it is allowed', async () => {
    const { id } = await event();
    const transcript = { segments: [said('x')] };
    expect(await codeOf(store(id, transcript, grace))).toBe('403 permission_denied');
    expect(await codeOf(store(id, transcript, linus))).toBe('404 record_not_found');
    const params = { record_type: 'calendar_events' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id, access: 'edit' } } });
    expect((await store(id, transcript, linus)).status).toBe(201);
    const change = { params: { id }, body: { calendar_event: { name: 'x' } } as never };
    expect(await codeOf(linus.api.updateCalendarEvent(change))).toBe('403 permission_denied');
  });

  it('404 no_transcript for who sees only when it is', async () => {
    const { id } = await event({ private: true });
    await store(id, { segments: [said('x')] });
    expect((await failureOf(grace.reader.retrieveTranscript(on(id)))).code).toBe('no_transcript');
  });

  it.each([
    ['no segments', { segments: [] }, { segments: 'too_short' }],
    [
      'a segment that ends first',
      { segments: [{ started_ms: 2, ended_ms: 1, text: 'x' }] },
      { 'segments.0.ended_ms': 'invalid' },
    ],
    [
      'a segment without text',
      { segments: [{ started_ms: 0, ended_ms: 1, text: ' ' }] },
      { 'segments.0.text': 'required' },
    ],
    ['a language that is none', { language: 'e', segments: [said('x')] }, { language: 'invalid_format' }],
  ])('400: %s', async (_, transcript, problems) => {
    const { id } = await event();
    expect(await problemsOf(store(id, transcript))).toEqual(problems);
  });
});

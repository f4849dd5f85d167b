import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenDeal } from '../../support/deals.ts';
import { givenCalendar, givenEvent } from '../../support/events.ts';
import { problemsOf } from '../../support/failures.ts';
import { givenFile } from '../../support/files.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenSpace } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const HOUR = 3_600_000;

/** Any order of records, and other views: test/domain/insight/search. */
describe('GET /search', () => {
  let workspace: Workspace;
  let [ada, grace]: TestUser[] = [];

  const search = async (user: TestUser | undefined, query: string, more: object = {}) =>
    (await (user as TestUser).reader.searchRecords({ query: { query, ...more } as never })).body.search;

  const found = async (user: TestUser | undefined, query: string, more: object = {}) =>
    (await search(user, query, more)).results.map(({ type, label }) => `${type} ${label}`);

  async function givenMail(user: TestUser) {
    const mailbox = await givenMailbox(workspace, user);
    await importMail(workspace, user, mailbox, [
      eml({
        id: 'timetable@x',
        from: '"Zoë Brandt" <zoe.brandt@kelpworks.example>',
        to: 'ada@acme.example',
        subject: 'Winter timetable',
        text: 'The quokka departs at noon.',
      }),
    ]);
  }

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
    const { api } = ada;
    const contact = {
      ...{ name: 'Zoë Brandt', nickname: 'Captain', external_id: 'CRM-77' },
      email_addresses: [{ email_address: 'Zoe.Brandt@kelpworks.example' }],
      phone_numbers: [{ phone_number: '+44 20 7946 0123' }],
      employments: [{ title: 'Pilot', current: true, organization: { name: 'Kelpworks' } }],
    };
    await api.createContact({ body: { contact } });
    await givenOrganization(ada, { name: 'Brine & Sons', domains: ['brine.example'], external_id: 'org-9' });
    await givenDeal(ada, { name: 'Straße renewal', external_id: 'deal-5' });
    await api.createTask({ body: { task: { name: 'Grease the winch', external_id: 'todo-3' } } });
    await givenFile(workspace, ada, {
      ...{ name: 'Hull survey', visibility: 'account', file_name: 'inspection-2026.pdf' },
    });
    const calendar = await givenCalendar(workspace, ada);
    const start = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
    const at = (hours: number) => ({ starts_at: start(hours), ends_at: start(hours + 1) });
    await givenEvent(ada, calendar.calendar_id, {
      ...{ name: 'Regatta', location: 'Osprey dock', ...at(24) },
      attendees: [{ email_address: 'umpire@sails.example' }],
    });
    await givenEvent(ada, calendar.calendar_id, {
      ...{ name: 'Sandbank round', ...at(48), time_zone: 'UTC', recurrence: ['RRULE:FREQ=WEEKLY'] },
    });
    await givenSpace(ada, { name: 'Lighthouse friends' });
    await api.createTag({ body: { tag: { name: 'Dredger' } } });
    await givenMail(ada);
  });
  afterAll(() => workspace.stop());

  const cases: [query: string, results: string[], fields: string[], snippet: string][] = [
    [
      'zoe',
      ['contact Zoë Brandt', 'thread Winter timetable'],
      ['name', 'email_addresses'],
      '<mark>Zoë</mark> Brandt',
    ],
    ['CAPT', ['contact Zoë Brandt'], ['nickname'], '<mark>Capt</mark>ain'],
    [
      'zoe.brandt@kelpworks.example',
      ['contact Zoë Brandt', 'thread Winter timetable'],
      ['name', 'email_addresses'],
      '<mark>zoe</mark>.<mark>brandt</mark>@<mark>kelpworks</mark>.<mark>example</mark>',
    ],
    [
      'kelpw',
      ['organization Kelpworks', 'contact Zoë Brandt', 'thread Winter timetable'],
      ['name'],
      '<mark>Kelpw</mark>orks',
    ],
    [
      'captain kelpworks.example',
      ['contact Zoë Brandt'],
      ['nickname', 'email_addresses'],
      'zoe.brandt@<mark>kelpworks</mark>.<mark>example</mark>',
    ],
    ['02079460123', ['contact Zoë Brandt'], ['phone_numbers'], '<mark>+44 20 7946 0123</mark>'],
    ['460123', ['contact Zoë Brandt'], ['phone_numbers'], '<mark>+44 20 7946 0123</mark>'],
    ['CRM-77', ['contact Zoë Brandt'], ['external_id'], '<mark>CRM</mark>-<mark>77</mark>'],
    ['crm', ['contact Zoë Brandt'], ['external_id'], '<mark>CRM</mark>-77'],
    ['brine', ['organization Brine & Sons'], ['name', 'domains'], '<mark>Brine</mark> &amp; Sons'],
    [
      'brine.example',
      ['organization Brine & Sons'],
      ['name', 'domains'],
      '<mark>brine</mark>.<mark>example</mark>',
    ],
    ['org-9', ['organization Brine & Sons'], ['external_id'], '<mark>org</mark>-<mark>9</mark>'],
    ['strasse', ['deal Straße renewal'], ['name'], '<mark>Straße</mark> renewal'],
    ['deal-5', ['deal Straße renewal'], ['external_id'], '<mark>deal</mark>-<mark>5</mark>'],
    ['winch', ['task Grease the winch'], ['name'], 'Grease the <mark>winch</mark>'],
    ['todo-3', ['task Grease the winch'], ['external_id'], '<mark>todo</mark>-<mark>3</mark>'],
    ['surv', ['file Hull survey'], ['name'], 'Hull <mark>surv</mark>ey'],
    ['inspection', ['file Hull survey'], ['file_name'], '<mark>inspection</mark>-2026.pdf'],
    ['timetable', ['thread Winter timetable'], ['subject'], 'Winter <mark>timetable</mark>'],
    ['quokka', ['thread Winter timetable'], ['snippet'], 'The <mark>quokka</mark> departs at noon.'],
    ['regat', ['calendar_event Regatta'], ['name'], '<mark>Regat</mark>ta'],
    ['osprey', ['calendar_event Regatta'], ['location'], '<mark>Osprey</mark> dock'],
    [
      'umpire@sails.example',
      ['calendar_event Regatta'],
      ['attendees'],
      '<mark>umpire</mark>@<mark>sails</mark>.<mark>example</mark>',
    ],
    ['sandbank', ['calendar_event Sandbank round'], ['name'], '<mark>Sandbank</mark> round'],
    ['lighthouse', ['space Lighthouse friends'], ['name'], '<mark>Lighthouse</mark> friends'],
    ['dredg', ['tag Dredger'], ['name'], '<mark>Dredg</mark>er'],
  ];

  it.each(cases)('200: %s', async (query, results, matched_fields, snippet) => {
    const body = await search(ada, query);
    expect(body.results.map(({ type, label }) => `${type} ${label}`)).toEqual(results);
    expect(body.results[0]).toMatchObject({ matched_fields, snippet });
    expect(body).toMatchObject({ query, page: 1, limit: 20, has_more: false, total: results.length });
  });

  it('200: sublabels', async () => {
    const sublabels = new Map(
      (await Promise.all(['zoe', 'brine', 'strasse', 'surv', 'osprey'].map((query) => search(ada, query))))
        .flatMap(({ results }) => results)
        .map(({ type, sublabel }) => [type, sublabel]),
    );
    expect(Object.fromEntries(sublabels)).toEqual({
      contact: 'Pilot, Kelpworks',
      organization: 'brine.example',
      deal: expect.any(String),
      thread: 'Zoë Brandt',
      file: 'inspection-2026.pdf',
      calendar_event: 'Osprey dock',
    });
  });

  longIt('200: what others do not see is not found', async () => {
    expect(await found(grace, 'zoe')).toEqual(['contact Zoë Brandt']);
    for (const query of ['timetable', 'quokka', 'regatta', 'sandbank', 'umpire@sails.example', 'winch'])
      expect(await search(grace, query)).toMatchObject({ total: 0, results: [] });
    expect(await found(workspace.hank, 'zoe')).toEqual([]);
  });

  it('200: types', async () => {
    expect(await found(ada, 'zoe', { types: 'thread' })).toEqual(['thread Winter timetable']);
    expect(await found(ada, 'zoe', { types: 'tag,thread,tag' })).toEqual(['thread Winter timetable']);
  });

  it.each([
    ['nothing'],
    ['!?'],
    ['  ...  '],
    ['🙂'],
    ["'; DROP TABLE contacts; --"],
    ['(?:xx+)*$'],
    ['שלום עולם'],
    ['海辺の灯台'],
    ['%_\\'],
    ['x'.repeat(500)],
  ])('200 without results: %s', async (query) => {
    expect(await search(ada, query)).toMatchObject({ has_more: false, total: 0, results: [] });
  });

  it('200: a page far behind the last is empty', async () => {
    expect(await search(ada, 'zoe', { page: 1_000_000_000 })).toMatchObject({ has_more: false, results: [] });
  });

  it('200: a limit above the maximum is the maximum', async () => {
    expect((await search(ada, 'zoe', { limit: 51 })).limit).toBe(50);
  });

  it.each([
    [{}, 'query', 'required'],
    [{ query: ' ' }, 'query', 'required'],
    [{ query: 'x'.repeat(501) }, 'query', 'too_long'],
    [{ query: 'x', types: 'contact,comment' }, 'types', 'invalid'],
    [{ query: 'x', page: '0' }, 'page', 'invalid'],
    [{ query: 'x', page: 'two' }, 'page', 'invalid_format'],
    [{ query: 'x', limit: '0' }, 'limit', 'invalid'],
  ])('400: %j', async (query, field, code) => {
    const refused = (ada as TestUser).reader.searchRecords({ query: query as never });
    expect(await problemsOf(refused)).toEqual({ [field]: code });
  });
});

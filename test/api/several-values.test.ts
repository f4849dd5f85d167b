import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenFile } from '../support/files.ts';
import { long } from '../support/long.ts';
import { bearer, fieldCodes, raw } from '../support/raw.ts';
import { countRequestTrips } from '../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Filters that take several values, with commas between them (docs/specification/records.md, "Lists of records"). */

type Pair = [string, string];

/** Two of each, with records that lead to one of them, and some that lead to both. */
async function givenPairs(workspace: Workspace) {
  const { ada, grace } = workspace;
  const { api } = ada;
  const two = <T>(make: (at: 0 | 1) => Promise<T>) => Promise.all([make(0), make(1)]);
  const organizations = await two(async (at) => {
    const organization = { name: `Organization ${at}`, domains: [`several-${at}.example`] };
    return (await api.createOrganization({ body: { organization } })).body.organization.id;
  });
  const contacts = await two(async (at) => {
    const email_addresses = [{ email_address: `several-${at}@acme.example` }];
    const employments = [{ organization: { id: organizations[at] } }];
    const contact = { name: `Contact ${at}`, email_addresses, employments };
    return (await api.createContact({ body: { contact } })).body.contact.id;
  });
  const both = organizations.map((id) => ({ organization: { id } }));
  await api.createContact({ body: { contact: { name: 'Both', employments: both } } });
  const milestones = await two(
    async (at) =>
      (await api.createMilestone({ body: { milestone: { name: `Milestone ${at}` } } })).body.milestone.id,
  );
  const [pipeline] = (await api.listPipelines()).body.pipelines;
  const draft = { name: 'Another', stages: [{ name: 'Begun' }, { name: 'Won', kind: 'won' as const }] };
  const another = (await api.createPipeline({ body: { pipeline: draft } })).body.pipeline;
  const pipelines = [pipeline?.id, another.id] as Pair;
  const stages = [pipeline?.stages[0]?.id, another.stages[1]?.id] as Pair;
  const users: Pair = [ada.user.id, grace.user.id];
  const deals = await two(async (at) => {
    const place = { pipeline_id: pipelines[at], stage_id: stages[at], assigned_user_id: users[at] };
    const links = { contact_ids: [contacts[at]], organization_id: organizations[at] };
    return (await api.createDeal({ body: { deal: { name: `Deal ${at}`, ...place, ...links } } })).body.deal
      .id;
  });
  await api.createDeal({ body: { deal: { name: 'Both', contact_ids: contacts } } });
  await two((at) => {
    const links = { contact_ids: [contacts[at]], deal_id: deals[at], milestone_id: milestones[at] };
    return api.createTask({ body: { task: { name: `Task ${at}`, assigned_user_id: users[at], ...links } } });
  });
  await api.createTask({ body: { task: { name: 'Both', contact_ids: contacts } } });
  for (const at of [0, 1] as const) {
    const file = await givenFile(workspace, ada);
    await api.updateFile({ params: { id: file.id }, body: { file: { deal_ids: [deals[at]] } } });
  }
  const domains: Pair = ['several-0.example', 'several-1.example'];
  const addresses: Pair = ['several-0@acme.example', 'several-1@acme.example'];
  return { organizations, contacts, milestones, pipelines, stages, users, deals, domains, addresses };
}

describe('several values of a filter', () => {
  let workspace: Workspace;
  let pairs: Awaited<ReturnType<typeof givenPairs>>;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    pairs = await givenPairs(workspace);
  });
  afterAll(() => workspace?.stop());

  const get = (path: string, query: Record<string, string>) =>
    raw(workspace.url, {
      path: `${path}?${new URLSearchParams(query)}`,
      headers: [bearer(workspace.ada.read_key)],
    });
  async function found(path: string, query: Record<string, string>): Promise<string[]> {
    const [list, count] = await Promise.all([get(path, query), get(`${path}/count`, query)]);
    expect([list.status, count.status], list.text).toEqual([200, 200]);
    const ids = (list.json.collection as { records: { id: string }[] }).records.map(({ id }) => id);
    expect(count.json.count).toMatchObject({ total: ids.length, exact: true });
    return ids.sort();
  }

  type Kind = 'ids' | 'texts';
  const cases: [path: string, field: string, values: () => Pair, kind: Kind][] = [
    ['/deals', 'stage_id', () => pairs.stages, 'ids'],
    ['/deals', 'pipeline_id', () => pairs.pipelines, 'ids'],
    ['/deals', 'status', () => ['open', 'won'], 'texts'],
    ['/deals', 'assigned_user_id', () => pairs.users, 'ids'],
    ['/deals', 'contact_id', () => pairs.contacts as Pair, 'ids'],
    ['/deals', 'organization_id', () => pairs.organizations as Pair, 'ids'],
    ['/tasks', 'assigned_user_id', () => pairs.users, 'ids'],
    ['/tasks', 'contact_id', () => pairs.contacts as Pair, 'ids'],
    ['/tasks', 'deal_id', () => pairs.deals as Pair, 'ids'],
    ['/tasks', 'milestone_id', () => pairs.milestones as Pair, 'ids'],
    ['/files', 'deal_id', () => pairs.deals as Pair, 'ids'],
    ['/contacts', 'organization_id', () => pairs.organizations as Pair, 'ids'],
    ['/contacts', 'email_address', () => pairs.addresses, 'texts'],
    ['/organizations', 'domain', () => pairs.domains, 'texts'],
  ];

  /** A third in `npm test`, the others in the long tests. */
  const some = long ? cases : cases.filter((_, i) => i % 3 === 0);

  it.each(some)('GET %s: %s', async (path, field, values, kind) => {
    const [one, other] = values();
    const [first, second] = [await found(path, { [field]: one }), await found(path, { [field]: other })];
    expect(first.length * second.length).toBeGreaterThan(0);
    const union = [...new Set([...first, ...second])].sort();
    expect(await found(path, { [field]: `${one},${other}` })).toEqual(union);
    expect(await found(path, { [field]: ` ${other.toLowerCase()} , ${one}` })).toEqual(union);
    expect(await found(path, { [field]: `${one},${one}` })).toEqual(first);
    for (const sent of [`${one},`, `${one},,${other}`, `${one},?`])
      expect([sent, (await get(path, { [field]: sent })).status]).toEqual([sent, 400]);
    const many = Array.from({ length: 51 }, () =>
      kind === 'ids' ? randomUUID() : `${randomUUID()}.example`,
    );
    if (kind === 'ids') {
      expect(fieldCodes(await get(path, { [field]: many.join(',') }))).toEqual({ [field]: 'too_long' });
      expect((await get(path, { [field]: `${one},${randomUUID()}` })).status).toBe(404);
    } else if (field === 'domain')
      expect(fieldCodes(await get(path, { [field]: many.join(',') }))).toEqual({ [field]: 'too_long' });
  });

  it('list a record with several of them once', async () => {
    const { api } = workspace.ada;
    const [addresses, domains] = [
      ['both-0@acme.example', 'both-1@acme.example'],
      ['both-0.example', 'both-1.example'],
    ];
    const email_addresses = addresses.map((email_address) => ({ email_address }));
    const { contact } = (await api.createContact({ body: { contact: { name: 'Both', email_addresses } } }))
      .body;
    const { organization } = (
      await api.createOrganization({ body: { organization: { name: 'Both', domains } } })
    ).body;
    expect(await found('/contacts', { email_address: addresses.join(',') })).toEqual([contact.id]);
    expect(await found('/organizations', { domain: domains.join(',') })).toEqual([organization.id]);
  });

  it('repeats them in the filters as they were sent, and one as ever', async () => {
    for (const sent of [pairs.stages[0], pairs.stages.join(',')]) {
      const { json } = await get('/deals', { stage_id: sent });
      expect(json.collection).toMatchObject({ filters: { stage_id: sent } });
    }
  });

  it('meet other filters', async () => {
    const all = { assigned_user_id: pairs.users.join(','), stage_id: pairs.stages.join(',') };
    expect(await found('/deals', { ...all, status: 'won' })).toEqual([pairs.deals[1]]);
    expect(
      await found('/deals', { ...all, status: 'lost,won', contact_id: pairs.contacts[0] as string }),
    ).toEqual([]);
  });

  it('cost the round trips of one value', async () => {
    const trips = (query: Record<string, string>) =>
      countRequestTrips(workspace, workspace.ada, () => get('/deals', query));
    for (const [path, field, values] of some.filter(([path]) => path === '/deals')) {
      const { depth } = await trips({ [field]: values()[0] });
      expect([path, field, (await trips({ [field]: values().join(',') })).depth]).toEqual([
        path,
        field,
        depth,
      ]);
    }
  });
});

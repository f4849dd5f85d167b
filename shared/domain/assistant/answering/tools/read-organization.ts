import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { presentTags, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { employeesOf } from '#shared/domain/crm/contacts/employees.ts';
import { isLinkedTo } from '#shared/domain/crm/deals/criteria.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { aroundDeals, presentDeals } from '#shared/domain/crm/deals/store.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import { requireOrganization } from '#shared/domain/crm/organizations/policy.ts';
import type { DealRow, OrganizationRow, OrganizationView } from '../views.ts';
import { commentViews, shorten } from './comments.ts';
import { give, type ToolContext } from './context.ts';
import { dealRow } from './read-deal.ts';
import { searchTasks } from './search-tasks.ts';

const DESCRIPTION = 2_000;
const PEOPLE = 30;
const DEALS = 10;

export function organizationRow({ id, name, domains, industry }: Organization): OrganizationRow {
  return { id, name, domains: domains.slice(0, 10), industry };
}

/** The deals for it that were written last. */
async function dealsOf(ctx: ToolContext, ref: RecordRef): Promise<DealRow[]> {
  const query = { index: dealIndex, criteria: [isLinkedTo(ref)], sort: 'updated_at', order: 'desc' as const };
  const { rows } = await findRecords(ctx, query, { limit: DEALS, after: undefined });
  const deals = await presentDeals(ctx, rows, aroundDeals(ctx));
  give(
    ctx,
    'deal',
    deals.map(({ id }) => id),
  );
  return deals.map(dealRow);
}

/** 404 for an organization that the user does not see. */
export async function readOrganization(ctx: ToolContext, id: string): Promise<OrganizationView> {
  const organization = await requireOrganization(ctx, id);
  const ref = { type: 'organizations' as const, id: organization.id };
  const [dictionary, comments, { employments, contact_count }, deals, { tasks }] = await Promise.all([
    tagDictionary(ctx.table, ctx.caller.account.id),
    listRecordComments(ctx, ref),
    employeesOf(ctx, organization),
    dealsOf(ctx, ref),
    searchTasks(ctx, { organization_id: organization.id, slice: 'open' }),
  ]);
  const people = (employments ?? []).slice(0, PEOPLE).flatMap(({ contact, title, current }) => {
    return contact ? [{ contact_id: contact.id, name: contact.name, title, current }] : [];
  });
  give(ctx, 'organization', [organization.id]);
  give(
    ctx,
    'contact',
    people.map(({ contact_id }) => contact_id),
  );
  const { description, website_url, employee_count, phone_numbers } = organization;
  return {
    ...organizationRow(organization),
    type: 'organization',
    description: description && shorten(description, DESCRIPTION),
    website_url,
    employee_count,
    phone_numbers: phone_numbers.map(({ phone_number }) => phone_number),
    people,
    contact_count: contact_count ?? people.length,
    deals,
    tasks,
    tags: presentTags(dictionary, organization.tag_ids ?? []).map(({ name }) => name),
    comments: await commentViews(ctx, comments),
  };
}

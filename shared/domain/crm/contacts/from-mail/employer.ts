import { getDomain } from 'tldts';
import { visibleRecords } from '#shared/domain/collaboration/records/policy.ts';
import { newOrganization } from '#shared/domain/crm/organizations/create.ts';
import { hostName } from '#shared/domain/crm/organizations/domain-name.ts';
import { domainHolders } from '#shared/domain/crm/organizations/names.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import { organizationChange } from '#shared/domain/crm/organizations/writes.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { isPublicMailHost } from '#shared/public-mail-hosts.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed } from '#shared/table/table.ts';

/** The organization of an address's domain (docs/specification/mail.md, "Contacts from mail"). */

export interface Employer {
  id: string | null;
  founded: Organization[];
  /** What makes the organization, and remembers its domain. */
  change: Change;
}

const nobody: Employer = { id: null, founded: [], change: noChange };

/** The host of an address and the domain that somebody registered, which is the same for all hosts of a company. */
export function domainsOf(address: string): { host: string; domain: string } | undefined {
  const { data: host } = hostName.safeParse(address.slice(address.lastIndexOf('@') + 1));
  if (host === undefined) return undefined;
  const domain = getDomain(host);
  if (domain === null || isPublicMailHost(host) || isPublicMailHost(domain)) return undefined;
  return { host, domain };
}

/**
 * The oldest organization with the host, else with the domain, that the whole account sees. `own`: the caller has a private
 * one. Those that the caller does not see do not count, or contacts would tell of them.
 */
async function findOrganization(ctx: CallerContext, { host, domain }: { host: string; domain: string }) {
  const ids = await Promise.all(
    [...new Set([host, domain])].map((each) => domainHolders.candidates(ctx, [each])),
  );
  const all = ids.flat();
  const visible = await visibleRecords<Organization>(ctx, 'organizations', all);
  const open = new Set(visible.filter(({ visibility }) => visibility === 'account').map(({ id }) => id));
  return { id: all.find((id) => open.has(id)), own: visible.length > 0 };
}

/** 409 means that somebody else made one meanwhile: it is found by reading again. */
async function foundingOf(ctx: CallerContext, organization: Organization): Promise<Change> {
  try {
    return await organizationChange(ctx, undefined, organization);
  } catch (error) {
    if (error instanceof ApiError) throw new ConditionFailed(undefined);
    throw error;
  }
}

/** Found, or made unless the domain is the account's own, or its organization was deleted. */
export async function employerOf(
  ctx: CallerContext,
  address: string,
  own_domains: ReadonlySet<string>,
): Promise<Employer> {
  const domains = domainsOf(address);
  if (!domains) return nobody;
  const { host, domain } = domains;
  const key = keys.domainInMail(ctx.caller.account.id, domain);
  const [{ id, own }, known] = await Promise.all([findOrganization(ctx, domains), ctx.table.get(key)]);
  const remembering = known ? [] : [{ put: key }];
  if (id !== undefined) return { id, founded: [], change: together(remembering) };
  if (known || own || own_domains.has(domain) || own_domains.has(host)) return nobody;
  const draft = { name: domain, domains: [domain], visibility: 'account' as const };
  const organization = newOrganization(ctx.caller, draft, ctx.now);
  const change = together(await foundingOf(ctx, organization), remembering);
  return { id: organization.id, founded: [organization], change };
}

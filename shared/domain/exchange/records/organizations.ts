import { planOrganization } from '#shared/domain/crm/organizations/create.ts';
import { externalIds } from '#shared/domain/crm/organizations/names.ts';
import {
  type Organization,
  type OrganizationDraft,
  organizationDraft,
} from '#shared/domain/crm/organizations/organization.ts';
import { withSent } from '#shared/domain/crm/organizations/sent.ts';
import { planOrganizationChange } from '#shared/domain/crm/organizations/update.ts';
import { foldName } from '#shared/folding.ts';
import type { Cells } from './cells.ts';
import { withTypes } from './custom-cells.ts';
import { detailsIn, keptIn, tagsIn, urlIn } from './detail-cells.ts';
import { detailsAdded } from './details-added.ts';
import type { Family } from './family.ts';
import { withoutKeptTexts } from './kept-texts.ts';
import { added, type SentRow } from './row.ts';
import { readNumber } from './written-values.ts';

/** Organizations of files. */

/** A domain, also when it is written as an address of the web. */
const domainOf = (text: string) => {
  const [host = ''] = text.replace(/^[a-z]+:\/\//i, '').split(/[/?#]/, 1);
  return host.replace(/^www\./i, '').toLowerCase();
};

function rowOf(cells: Cells): SentRow {
  const domains = [...new Set(cells.words('domains').map(domainOf))];
  const count = cells.one('employee_count');
  const draft = {
    ...cells.plain(['name', 'description', 'industry']),
    ...urlIn(cells, 'website_url'),
    ...urlIn(cells, 'logo_url'),
    ...(count === undefined ? {} : { employee_count: readNumber(count, cells.style) }),
    ...(domains.length === 0 ? {} : { domains }),
    ...detailsIn(cells),
    ...keptIn(cells),
  };
  return { draft, tags: tagsIn(cells) };
}

/** A row changes what it names, and adds to lists. */
function changed(before: Organization, draft: OrganizationDraft, now: Date): Organization {
  const { domains: sent, phone_numbers, links, addresses, ...rest } = withoutKeptTexts(before, draft);
  const domains = added(before.domains, sent, {
    // Cells lose the `www`.
    same: (own, domain) => own === domain || own === `www.${domain}`,
    keep: (own) => own,
  });
  const changes = {
    ...rest,
    ...detailsAdded(before, { phone_numbers, links, addresses }),
    ...(domains ? { domains } : {}),
  };
  return withSent(before, changes, now);
}

export const organizationFamily: Family<Organization, OrganizationDraft> = {
  type: 'organizations',
  draft: organizationDraft,
  external_ids: externalIds,
  tried: true,
  rowOf,
  resolve: (ctx, row) => withTypes(ctx, 'organizations', row),
  turnsOf: ({ name, domains = [] }) => [foldName(name), ...domains],
  create: (ctx, draft, id) => planOrganization(ctx, draft, id),
  update: (ctx, id, draft) => planOrganizationChange(ctx, id, (before) => changed(before, draft, ctx.now)),
};

import * as z from 'zod';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import { presentShares } from '#shared/domain/collaboration/shares/share.ts';
import { shown } from '#shared/domain/crm/details/fields.ts';
import { attachedFields, commonFields, type StoredRecord } from '#shared/domain/crm/details/record.ts';
import type { Place, Places } from '#shared/domain/crm/pipelines/places.ts';
import { apart, derived, given, optional, required, resource, type StoredFields } from '#shared/resource.ts';
import { currency, isoDate, timestamp, uuid } from '#shared/values.ts';
import { written } from './written.ts';

const status = z.enum(['open', 'won', 'lost']);
export const dealStatuses = status.options;

/** A stage in another record. */
export const stageSummary = z
  .strictObject({
    id: uuid,
    name: z.string().meta({ example: 'Qualified' }),
    kind: status,
    position: z.int(),
  })
  .meta({ id: 'DealStage' });

const named = { id: uuid, name: z.string().meta({ example: 'Ada Byron' }) };

const deals = resource('Deal', {
  id: given(uuid),
  user_id: given(uuid.nullable()),
  name: required(written.name, z.string().meta({ example: 'Fleet renewal' })),
  pipeline_id: optional(written.pipeline_id, uuid),
  stage_id: apart(optional(written.stage_id, uuid)),
  stage: derived(stageSummary),
  status: apart(given(status)),
  amount: optional(written.amount, z.number().nullable().meta({ example: 12_500 })),
  currency: optional(written.currency, currency.nullable()),
  probability: apart(optional(written.probability, z.int().nullable().meta({ example: 25 }))),
  expected_close_on: optional(written.expected_close_on, isoDate.nullable()),
  closed_at: apart(given(timestamp.nullable())),
  stage_moved_at: given(timestamp.nullable()),
  lost_reason: optional(written.lost_reason, shown('Chose another supplier.')),
  description: optional(written.description, shown('Six boats, delivered in spring.')),
  position: optional(written.position, z.number().meta({ example: 3 })),
  assigned_user_id: optional(written.assigned_user_id, uuid.nullable()),
  organization_id: apart(optional(written.organization_id, uuid.nullable())),
  organization: derived(z.strictObject({ ...named, name: z.string().meta({ example: 'Acme' }) }).nullable()),
  contact_ids: apart(optional(written.contact_ids, z.array(uuid))),
  contacts: apart(
    optional(written.contacts, z.array(z.strictObject({ ...named, role: shown('decision maker') }))),
  ),
  ...commonFields,
  ...attachedFields,
});

/** A person of a deal as stored: perhaps one that the reader does not see. */
export interface DealContact {
  id: string;
  role: string | null;
}

export type DealStatus = z.output<typeof status>;

/** A deal as stored. */
export type Deal = StoredRecord &
  StoredFields<typeof deals.fields> & {
    /** Perhaps a deleted one, whose deals are being moved (crm/pipelines/places.ts). */
    stage_id: string;
    /** The kind of that stage. */
    status: DealStatus;
    closed_at: string | null;
    /** How often it came into a stage; missing in deals from before this was counted. */
    stage_moves?: number;
    /** Null while it follows the stage. */
    own_probability: number | null;
    organization_id: string | null;
    contacts: DealContact[];
  };

/** With the places of its account. */
export interface PlacedDeal {
  deal: Deal;
  places: Places;
}

/** The same, before it is written. */
export type DealPlan = Plan<Deal> & Pick<PlacedDeal, 'places'>;

/** docs/specification/records.md, "Deals". */
export const dealSchema = deals.response;

export const dealDraft = deals.strictDraft.meta({ id: 'DealDraft' });

export type DealDraft = z.output<typeof deals.draft>;

/** Fields that are not sent stay, `null` clears, and an array replaces the whole array. */
export const dealChanges = deals.changes.meta({ id: 'DealChanges' });

export type DealChanges = z.output<typeof deals.writableChanges>;

export type DealRecord = z.input<typeof dealSchema>;

/** What a deal shows besides its own fields. */
type DealExtras = Pick<DealRecord, 'tags'> & {
  places: Places;
  /** Of the people and organizations that the caller sees, by id. */
  names: ReadonlyMap<string, string>;
};

export const summaryOf = ({ stage: { id, name, kind }, position }: Place) => ({ id, name, kind, position });

/** Moved with its stage, which was replaced, but not written yet: it closed or opened with the replacement. */
function closedAt({ status, closed_at }: Deal, { pipeline, stage }: Place): string | null {
  if (stage.kind === 'open') return null;
  return status === stage.kind ? closed_at : pipeline.updated_at;
}

/** Its own while it is open, else that of its stage. */
export const probabilityIn = ({ own_probability }: Deal, { stage }: Place): number | null =>
  stage.kind === 'open' ? (own_probability ?? stage.probability) : stage.probability;

/** As the caller sees it in a list: people and organizations that are hidden are left out. */
export function dealRecord(deal: Deal, { places, names, tags }: DealExtras): DealRecord {
  const place = places.get(deal.stage_id) as Place;
  const { stage } = place;
  const contacts = deal.contacts.flatMap(({ id, role }) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name, role }];
  });
  const { organization_id: id } = deal;
  const name = id === null ? undefined : names.get(id);
  const organization = id === null || name === undefined ? null : { id, name };
  return deals.present(deal, {
    stage_id: stage.id,
    stage: summaryOf(place),
    status: stage.kind,
    probability: probabilityIn(deal, place),
    closed_at: closedAt(deal, place),
    organization_id: organization?.id ?? null,
    organization,
    contact_ids: contacts.map((contact) => contact.id),
    contacts,
    custom_fields: JSON.parse(deal.custom_fields),
    tags,
    shares: presentShares(deal.shares, { type: 'deals', id: deal.id }),
    comments: null,
    tasks: null,
  });
}

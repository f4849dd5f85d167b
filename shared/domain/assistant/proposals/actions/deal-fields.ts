import type { Deal, DealPlan } from '#shared/domain/crm/deals/deal.ts';
import { namesIn } from '#shared/domain/crm/deals/people.ts';
import type { ActionContext } from './action.ts';
import { assigneeField, customFields, plainField, type ShownField, shownField } from './shown.ts';

const showPeople = ({ contacts }: Deal, names: ReadonlyMap<string, string>): string | null => {
  const people = contacts.map(({ id, role }) => {
    const name = names.get(id) ?? 'a hidden contact';
    return role === null ? name : `${name} (${role})`;
  });
  return people.join(', ') || null;
};

/** The fields of deals as people read them, with the names of people and organizations that the user sees. */
export async function dealFields(ctx: ActionContext, plan: DealPlan): Promise<ShownField<Deal>[]> {
  const { before, after, places } = plan;
  const [names, assignee] = await Promise.all([
    namesIn(ctx, before ? [before, after] : [after]),
    assigneeField(ctx, plan),
  ]);
  const sameStage = before?.stage_id === after.stage_id;
  return [
    plainField('name'),
    shownField('pipeline_id', ({ stage_id }) => places.get(stage_id)?.pipeline.name ?? null),
    shownField('stage_id', ({ stage_id }) => places.get(stage_id)?.stage.name ?? null),
    plainField('amount'),
    plainField('currency'),
    { ...plainField('own_probability'), name: 'probability' },
    plainField('expected_close_on'),
    plainField('lost_reason'),
    plainField('description'),
    ...(sameStage ? [plainField<Deal>('position')] : []),
    assignee,
    shownField('organization_id', ({ organization_id: id }) =>
      id === null ? null : (names.get(id) ?? 'a hidden organization'),
    ),
    shownField('contacts', (deal) => showPeople(deal, names)),
    plainField('visibility'),
    plainField('external_id'),
    customFields(),
  ];
}

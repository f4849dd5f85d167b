import { ApiError, invalidField, recordNotFound } from '#shared/errors.ts';
import { foldName } from '#shared/folding.ts';
import type { AccountPipelines } from '../pipeline.ts';
import type { Stage } from './stage.ts';

/** What holds among the stages of one pipeline. */

/** A pipeline is one item, which at most has some 80 kB with these many stages. */
export const MAX_STAGES = 50;

/** `field` is the name as the request has it. */
export function requireFreeName(others: Pick<Stage, 'name'>[], name: string, field = 'name'): void {
  const folded = foldName(name);
  if (others.some((other) => foldName(other.name) === folded))
    throw new ApiError('stage_name_taken', {
      fields: { [field]: { code: 'taken', message: 'is used by another stage of the pipeline' } },
    });
}

/** 400: `field` names a stage of another place. 404 when the account has no such stage. */
export function refuseStage(
  { pipelines }: AccountPipelines,
  id: string,
  field: string,
  message: string,
): never {
  const known = pipelines.some(({ stages }) => stages.some((stage) => stage.id === id));
  throw known ? invalidField(field, 'invalid', message) : recordNotFound();
}

/** 422 `stage_is_last_open` when none of the stages is open: deals begin in an open stage. */
export function requireOpenStage(stages: Stage[]): void {
  if (!stages.some(({ kind }) => kind === 'open')) throw new ApiError('stage_is_last_open');
}

const CERTAIN = { open: null, won: 100, lost: 0 };

/** Won is certain, and lost is out of the question. `sent` is null or undefined when the request names none. */
export function probabilityOf(
  kind: Stage['kind'],
  sent: number | null | undefined,
  field = 'probability',
): number | null {
  const certain = CERTAIN[kind];
  if (certain === null) return sent ?? null;
  if (typeof sent === 'number' && sent !== certain)
    throw invalidField(field, 'invalid', `must be ${certain} for a ${kind} stage`);
  return certain;
}

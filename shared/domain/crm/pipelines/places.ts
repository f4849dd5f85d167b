import type { AccountPipelines, Pipeline } from './pipeline.ts';
import type { Stage } from './stages/stage.ts';

/** Where deals are. */
export interface Place {
  pipeline: Pipeline;
  stage: Stage;
  /** From 0. */
  position: number;
}

/**
 * The places of an account by the id of the stage, as deals have it: deals of a deleted stage are in its replacement
 * before they are moved there.
 */
export type Places = ReadonlyMap<string, Place>;

function placesOf(pipeline: Pipeline): [string, Place][] {
  const own = new Map(
    pipeline.stages.map((stage, position) => [stage.id, { pipeline, stage, position }] as const),
  );
  const replaced = Object.entries(pipeline.replaced ?? {}).flatMap(([id, replacement]) => {
    const place = own.get(replacement);
    return place ? [[id, place] as [string, Place]] : [];
  });
  return [...own, ...replaced];
}

export const placesIn = ({ pipelines }: Pick<AccountPipelines, 'pipelines'>): Places =>
  new Map(pipelines.flatMap(placesOf));

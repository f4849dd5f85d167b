import { ConditionFailed } from '#shared/table/table.ts';

/** Another worker runs the same job and was faster; that one continues. */
export class Overtaken extends Error {}

export async function unlessOvertaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionFailed) throw new Overtaken('Another worker was faster', { cause: error });
    throw error;
  }
}

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

/** The result of work on a job, or `otherwise` when another worker has it. */
export async function ifOvertaken<T, O>(otherwise: O, work: () => Promise<T>): Promise<T | O> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Overtaken) return otherwise;
    throw error;
  }
}

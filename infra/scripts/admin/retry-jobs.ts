import { sendGivenUp } from '#shared/domain/platform/jobs/given-up.ts';
import { command } from './command.ts';

export const retryJobs = command({
  summary: 'Has jobs sent again that were sent too often. Fix the cause first.',
  options: {},
  async run(_, table, now) {
    const jobs = await sendGivenUp(table, now);
    const count = jobs.length === 1 ? '1 job' : `${jobs.length} jobs`;
    return {
      json: { job_ids: jobs.map(({ id }) => id) },
      ...(jobs.length > 0 ? { result: jobs.map(({ id, queue }) => `${id}  ${queue}`).join('\n') } : {}),
      told: [`${count} will be sent by the next sweep, within a minute.`],
    };
  },
});

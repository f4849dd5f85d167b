/** The time of a change: later than that of any other change of the record, whose version it is. */
export function nextMoment(
  { created_at, updated_at }: { created_at: string | null; updated_at: string | null },
  now: Date,
): string {
  const last = Date.parse(updated_at ?? created_at ?? '') || 0;
  return new Date(Math.max(now.getTime(), last + 1)).toISOString();
}

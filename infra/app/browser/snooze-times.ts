const MORNING = 9;
const HOUR = 3_600_000;

/** By the clock of the browser. */
export function snoozeTimes(now = new Date()): { label: string; until: Date }[] {
  const morning = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
  const monday = (8 - now.getDay()) % 7 || 7;
  return [
    { label: 'In three hours', until: new Date(now.getTime() + 3 * HOUR) },
    { label: 'Tomorrow morning', until: morning(1) },
    { label: 'Next week', until: morning(monday) },
  ];
}

/** npm sends a signal to its shell only: when that shell ends, so does this process. */
export function onLostParent(stop: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), 250).unref();
}

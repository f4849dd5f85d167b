/** Whether a deployment serves the page at /app (docs/decisions/0086-page-at-app.md). */

const choices = ['on', 'off'] as const;

/** Throws for anything but on and off; `name` is where it was set. */
export function readAppPage(text: string, name: string): boolean {
  if (!choices.some((each) => each === text))
    throw new Error(`${name} must be ${choices.join(' or ')}, not "${text}".`);
  return text === 'on';
}

/** Where people try the service, and nobody works with it. */
export const hasAppPageByDefault = (stage: string) => stage === 'dev' || stage.startsWith('preview-');

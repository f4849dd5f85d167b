/**
 * Replaces `postcss` in the bundles, which sanitize-html uses only to parse `style` attributes. That is off
 * (shared/domain/platform/html/policy.ts), because our own code reads styles. The parser is 90 kB.
 */
export function parse(): never {
  throw new Error('postcss is not in the bundles: see infra/aws/replaced/postcss.ts');
}

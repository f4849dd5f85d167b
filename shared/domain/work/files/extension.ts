/** What follows the last dot of a name, in lower case; null for names without one, and for `.profile`. */
export function extensionOf(file_name: string): string | null {
  const dot = file_name.lastIndexOf('.');
  return dot > 0 ? file_name.slice(dot + 1).toLowerCase() || null : null;
}

import { fold } from './words.ts';

/** Whether a question is English, as far as its small words tell. */

const ENGLISH =
  /^(?:the|a|an|is|are|was|were|be|do|does|did|has|have|had|will|would|can|could|should|shall|what|when|where|who|why|how|which|of|to|for|from|with|about|on|at|by|this|that|these|those|there|we|i|you|he|she|it|they|me|us|him|her|them|my|our|your|his|their|and|or|not|any|some|please|how|much|many)$/;
const FOREIGN =
  /^(?:der|die|das|ist|sind|ein|eine|einen|wer|wann|wo|warum|welche|welcher|hat|haben|und|nicht|mit|von|uber|mir|uns|bitte|gib|le|les|la|des|est|sont|qui|quand|quoi|ou|pourquoi|quel|quelle|quels|avec|pour|dans|sur|moi|nous|s'il|el|los|las|es|son|quien|cuando|donde|que|cual|con|para|por|una|un|como|il|lo|gli|chi|quando|dove|perche|quale|sono|per|della|wie|waar|wanneer|het|een|van|voor|niet|quem|onde|qual|com|nao|och|vem|nar|var|inte)$/;

export function isEnglish(text: string): boolean {
  const words = fold(text.slice(0, 2000)).match(/[\p{L}']+/gu) ?? [];
  const latin = words.filter((word) => /^[\p{Script=Latin}']+$/u.test(word));
  const english = latin.filter((word) => ENGLISH.test(word)).length;
  const foreign = latin.filter((word) => FOREIGN.test(word)).length;
  if (english > 0) return english >= foreign;
  return foreign === 0 && latin.length * 2 >= words.length;
}

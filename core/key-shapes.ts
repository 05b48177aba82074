/**
 * Patterns of well-known API keys, tokens and private keys, to find secrets that were not
 * configured. They have the flag g, so `test` keeps a position between calls.
 */
export const SECRET_PATTERNS: readonly RegExp[] = [
  // Matches half-masked keys too, as OpenAI repeats a wrong key ("sk-abc***xyz").
  /\bsk-[\w*.-]{4,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bya29\.[\w-]{10,}/g,
  /\bAKIA[0-9A-Z]{12,}/g,
  /\bABSK[\w+/=]{20,}/g,
  /\b(?:hf|gsk|ghp|gho|pplx|nvapi|xai|csk|tgp|r8|fw|esecret)[-_][A-Za-z0-9_-]{16,}/g,
  /\bgithub_pat_\w{20,}/g,
  // A JSON Web Token.
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
];

/** The same reply as models decorate it; an empty one cannot be. */
export function decorations(text: string): string[] {
  if (text.trim() === '') return [];
  return [
    `**${text}**`,
    `__${text}__`,
    `*${text}*`,
    `# ${text}`,
    `### ${text}`,
    `> ${text}`,
    `> **${text}**`,
    `\`${text}\``,
    `\`\`\`\n${text}\n\`\`\``,
    `\`\`\`text\n${text}\n\`\`\`\n`,
    `"${text}"`,
    `“${text}”`,
    `- ${text}`,
    `1. ${text}`,
    `\n\n  ${text}  \n`,
    text.replaceAll('\n', '\r\n'),
    `<response>${text}</response>`,
    `${text}<|im_end|>`,
  ];
}

/** Long runs of what patterns repeat, each 20,000 characters. */
export function hostile(more: readonly string[] = []): string[] {
  const units = [
    ...[
      ' ',
      '\n',
      '\t',
      '.',
      ',',
      ', ',
      '-',
      '- ',
      '*',
      '* ',
      '_',
      '`',
      '"',
      "'",
      '(',
      ')',
      '[',
      ']',
    ],
    ...[
      '1',
      '1.',
      '1. ',
      '(a) ',
      '1,',
      '#',
      '> ',
      '>',
      'a',
      'a ',
      'A.',
      '|',
      '{"a":',
      '["a",',
      '“',
      '\\',
      '\\boxed{',
      '<answer>',
      '（１',
    ],
    ...['0.5 ', '1-', '1 to ', '**a** ', '\n- ', '\n1. ', 'Answer:', 'the answer is '],
    ...more,
  ];
  return units.flatMap((unit) => {
    const run = unit.repeat(Math.ceil(20_000 / unit.length));
    return [run, `x${run}!`];
  });
}

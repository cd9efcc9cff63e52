// A plugin of Figma that shows the file and its variables as one JSON text, for `traitd convert figma`. Plans below
// Enterprise have no request for variables. Development, New plugin takes this as the whole of its code.
const layer = node => {
  const found = {id: node.id, name: node.name, type: node.type}
  if (node.explicitVariableModes && Object.keys(node.explicitVariableModes).length)
    found.explicitVariableModes = node.explicitVariableModes
  if ('children' in node) found.children = node.children.map(layer)
  return found
}
const pick = (object, names) => Object.fromEntries(names.filter(name => object[name] !== undefined)
  .map(name => [name, object[name]]))

async function main() {
  await figma.loadAllPagesAsync()
  const variables = await figma.variables.getLocalVariablesAsync()
  const collections = await figma.variables.getLocalVariableCollectionsAsync()
  const text = JSON.stringify({
    name: figma.root.name,
    document: layer(figma.root),
    variables: variables.map(one => pick(one, ['id', 'name', 'variableCollectionId', 'resolvedType', 'valuesByMode'])),
    variableCollections: collections.map(one => pick(one, ['id', 'name', 'modes', 'defaultModeId',
      'parentVariableCollectionId', 'variableOverrides'])),
  })
  figma.showUI('<textarea style="width:100%;height:100%"></textarea><script>' +
    'onmessage = event => document.querySelector("textarea").value = event.data.pluginMessage</script>',
    {width: 600, height: 400})
  figma.ui.postMessage(text)
}
main()
